"""The trees of Monte Carlo tree search and the compiled loop that grows them.

Read `loop.py` first: it is the textbook, and what may be done in several ways is a function there that
`variants.compile_for` chooses. Each family of ways stands in a file of its own:

    settings    what a search can be told
    variants    which functions the loop is made of, for a game and its settings
    loop        deal, descend (select, expand), simulate, back up
    puct_loop   the loop of PUCT: a leaf is opened by an evaluation, and nothing is played out
    arrays      nodes and edges as arrays
    dealing     the world of an iteration
    offers      the moves on offer at a node, and which of those never tried comes first
    priors      what a new move is worth before its first visit
    implicit    the mean worth of an edge, and implicit minimax
    playouts    a leaf played out once or several times
    policies    who chooses the moves of a playout: the lot, the game's policy, a shallow search
    habits      the same by what moves have been worth so far (MAST)
    look        a shallow minimax or expectimax
    rewards     what a finished game is worth
    proofs      proven wins and losses, and probes that look for them
    observers   one tree, or one for each seat
    lines       a leaf of the best line as the place where iterations begin
    crew        threads that share a tree
    leaves      threads that play out one leaf
    knobs       the numbers that the loop reads
    scratch     what one thread writes while it walks
    tree        one tree as Python sees it
    grow        trees grown slice by slice, on one thread or several
"""
