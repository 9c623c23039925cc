"""Training: `meeple train METHOD GAME [key=value ...] --out FILE`, one short module a method.

    training      what every method is: settings, steps, weights that can be kept
    run           the loop: progress, a checkpoint each minute, resuming, the finished model
    checkpoint    a run on disk
    strength      a match against an agent, to see what was learnt
    grid          a run for each combination of settings; the best is kept
    curves        losses and strengths drawn
    methods       the methods by name
    strap         rootstrap and treestrap: linear weights from game tree search (strap_kernels compiled)
    supervised    a small network from stored games: samples (positions with labels), net (net_kernels compiled)
    selfplay      the same from games of its own search, in generations that a match lets through
    selfplay_inside   the same, much faster, where alpha-beta plays an open game of two: games inside compiled code
                  (inside, inside_kernels), labels by search and result (labels)
    episodes      ann and cnn: networks from games that they play (episode_kernels compiled)
    trees         mcts-ann, mcts-cnn, combined: networks from the values of search trees (tree_kernels compiled)
    networks      networks in training, by jax and optax; forward_kernels asks them for values, compiled
    genetic       linear weights by tournaments: the winner's are mutated
    grown         linear weights over facts and conjunctions of them that grow (grown_kernels)
    dqn           what each move is worth, by a memory of moves and a target network (dqn_kernels)
    actor_critic  a policy and a value, by the advantage of its moves (actor_critic_kernels)
    heads         the network of these two, with a policy and a value head (heads_kernels), and its games (heads_play)
    played        games of a search against itself, by number
    player        the search in which a model is tried

A step of a method depends on the weights before it, its number and the seed alone, so a run that was killed goes on
from its last checkpoint to the very weights that it would have had.
"""
