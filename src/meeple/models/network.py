"""Networks, compiled with a game's features: whole numbers only, so that every machine gives the same value.

    sums    = bias + the rows of the features that are there          int16, 1.0 is 1 << shift     (sparse first layer)
    a       = activation(sums)                                        1.0 is ONE
    b       = activation((bias + weights . a) >> shift)               for each dense or convolutional layer between
    x       = bias + weights . b                                      for each output
    value   = squash(x)                                               x / (1 + |x|), or tanh

A dense first layer, or a convolution over planes, reads the game's numbers times ONE, rounded.

An activation is `clipped` to 0..1, the same `squared`, or `relu`, cut off only where numbers would become too large.
The weights are arguments, `net` (arrays.py); what the functions below write is its scratch, a thread's own.

`evaluate` has the signature of every evaluation. Whose view the features have is a constant: with SEES_MOVER that of
the seat to move, where the value for another seat is the opposite (two seats), or an output of its own (EACH); else
each seat is asked by its own view, and nothing that it may not know comes in.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from meeple.core.chance import draw
from meeple.core.contract import legal_actions, to_move
from meeple.core.kernel import borrowing_kernel as kernel  # none here makes or returns an array
from meeple.models.arrays import (
    AT_BIAS,
    AT_WEIGHTS,
    CHANNELS_IN,
    CHANNELS_OUT,
    CONVOLUTION,
    FIRST_SERIAL,
    FIRST_STEM,
    HEIGHT,
    KERNEL,
    LAST_HIDDEN,
    LAYER_KIND,
    N_IN,
    N_OUT,
    ONE,
    PAD,
    ROW_SHIFT,
    SERIAL,
    SHIFT,
    STEMS,
    TANH,
    TANH_LIMIT,
    TANH_STEPS,
    WIDTH,
)

SPARSE, DENSE = 0, 1  # what the first layer reads; planes are dense numbers too
SQUARED, CLIPPED, RELU = 0, 1, 2
RATIO, AS_TANH = 0, 1
LARGEST = 1 << 22  # of an activation by `relu`, and of a dense input

# Bound by `evaluation.compile_for`.
INPUT, ACTIVATION, SQUASH = SPARSE, SQUARED, RATIO
SEES_MOVER, EACH, N_SEATS = True, False, 2
FOLLOWED = 0  # the first so many features of a sparse set are followed by `changes`
BEFORE, HERE, AT_STEM = 0, 1, 2  # rows of `net.sums`; from AT_STEM on one for each of STEMS places


def write(state: Any, seat: Any, out: Any) -> int:
    """The game's features; bound."""
    raise NotImplementedError


def stem(action: Any) -> int:
    """What moves have in common; bound."""
    raise NotImplementedError


def shared(state: Any, action: Any, seat: Any, out: Any) -> int:
    """What all moves of a stem change in them; bound."""
    raise NotImplementedError


def own(state: Any, action: Any, seat: Any, out: Any) -> int:
    """What a move changes besides; bound."""
    raise NotImplementedError


def write_action(state: Any, action: Any, out: Any) -> int:
    """The features of a move; bound."""
    raise NotImplementedError


# --- an evaluation -----------------------------------------------------------------------------------


@kernel
def evaluate(state, seat, net):
    """The value of a position for `seat`, in [-1, 1]."""
    viewer = viewer_of(state, seat)
    if INPUT == SPARSE:
        gather(state, viewer, net)
    else:
        read_numbers(state, viewer, net)
    return value_for(seat, viewer, net)


@kernel
def viewer_of(state, seat):
    """The seat whose view the features have; the asking one where chance is to act."""
    mover = to_move(state)
    return mover if SEES_MOVER and mover >= 0 else seat


@kernel
def value_for(seat, viewer, net):
    """The value for `seat` once the first layer has read the position as `viewer` sees it."""
    if EACH:
        outputs(net)
        return squashed(net.outs[(seat - viewer) % N_SEATS] * net.scale[0])
    if INPUT == SPARSE and len(net.layers) == 1:
        total = net.biases[0] + head(net.sums, net.weights, net.shifts[ROW_SHIFT], HERE)
        value = squashed(total * net.scale[0])
    else:
        outputs(net)
        value = squashed(net.outs[0] * net.scale[0])
    return value if seat == viewer else -value


@kernel
def squashed(x):
    """An output as a value."""
    if SQUASH == RATIO:
        return x / (abs(x) + 1.0)
    return tanh_of(x)


@kernel
def tanh_of(x):
    """The hyperbolic tangent from a table of whole numbers: that of the system may differ in the last bit."""
    size = min(abs(x), TANH_LIMIT) * TANH_STEPS
    place = min(np.int64(size), len(TANH) - 2)
    part = size - place
    found = (TANH[place] + part * (TANH[place + 1] - TANH[place])) / 1073741824.0
    return found if x >= 0.0 else -found


# --- the first layer ---------------------------------------------------------------------------------


@kernel
def gather(state, viewer, net):
    """Add up the rows of the features that are there."""
    n = write(state, viewer, net.active)
    add_rows(net.rows, net.row_bias, net.sums, net.active, HERE, n)


# What follows takes the arrays that it needs: a net is a hundred words to hand over.


@kernel
def add_rows(rows, bias, sums, active, row, n):
    """Set the sums of a row to the bias and the rows of the first `n` active features."""
    for i in range(len(bias)):
        sums[row, i] = bias[i]
    more_rows(rows, sums, active, row, 0, n)


@kernel
def more_rows(rows, sums, active, row, first, n):
    """Add the rows of the active features from `first` on, four at a time: each loop has a cost of its own."""
    width = sums.shape[1]
    k = first
    while k + 3 < n:
        a, b, c, d = active[k], active[k + 1], active[k + 2], active[k + 3]
        for i in range(width):
            sums[row, i] += rows[a, i] + rows[b, i] + rows[c, i] + rows[d, i]
        k += 4
    while k < n:
        a = active[k]
        for i in range(width):
            sums[row, i] += rows[a, i]
        k += 1


@kernel
def read_numbers(state, viewer, net):
    """Write dense numbers as whole ones, the input of the first layer."""
    n = write(state, viewer, net.numbers)
    for i in range(n):
        net.acts[0, i] = min(max(np.int64(np.rint(net.numbers[i] * ONE)), -LARGEST), LARGEST)


@kernel
def activated(a, one, up, down):
    """The activation of a sum in which 1.0 is `one`, as a number in which 1.0 is ONE: shifted up, squares down."""
    if ACTIVATION == RELU:
        return min(max(a, 0) << up, LARGEST)
    clipped = min(max(a, 0), one)
    if ACTIVATION == SQUARED:
        return (clipped * clipped) >> down
    return clipped << up


# --- the layers after it -----------------------------------------------------------------------------


@kernel
def head(sums, weights, shift, row):
    """The only output of a network of one hidden layer, without its bias."""
    total = 0
    if ACTIVATION == RELU:
        for i in range(sums.shape[1]):
            total += (max(np.int64(sums[row, i]), 0) << np.int64(12 - shift)) * weights[i]
        return total
    one, down, up = np.int32(1 << shift), np.int32(2 * shift - 12), np.int32(12 - shift)
    narrow = np.int32(0)  # enough: `checks.fault_of` bounds the sum of the weights
    for i in range(sums.shape[1]):
        narrow += term(np.int32(sums[row, i]), weights[i], one, down, up)
    return np.int64(narrow)


@kernel
def term(a, weight, one, down, up):
    """What a sum of the first layer adds to the only output, in 32 bits."""
    a = np.int32(min(max(np.int32(a), np.int32(0)), np.int32(one)))
    a = np.int32(a * a) >> np.int32(down) if ACTIVATION == SQUARED else a << np.int32(up)
    return np.int32(np.int32(a) * np.int32(weight))


@kernel
def outputs(net):
    """Write all outputs, from the sums or the numbers of the first layer on."""
    if INPUT == SPARSE:
        activate_sums(net)
    last = len(net.layers) - 1
    here = 0
    for number in range(last):
        if net.layers[number, LAYER_KIND] == CONVOLUTION:
            convolve(net, number, here)
        else:
            densely(net, number, here)
        here = 1 - here
    layer = net.layers[last]
    for j in range(layer[N_OUT]):
        net.outs[j] = net.biases[layer[AT_BIAS] + j] + dot(net, layer[AT_WEIGHTS] + j * layer[N_IN], here, layer[N_IN])
    net.memo[LAST_HIDDEN] = here  # where the last hidden layer is, for the policy


@kernel
def activate_sums(net):
    """The activations of the sparse first layer."""
    shift = net.shifts[ROW_SHIFT]
    for i in range(len(net.row_bias)):
        net.acts[0, i] = activated(np.int64(net.sums[HERE, i]), 1 << shift, 12 - shift, 2 * shift - 12)


@kernel
def dot(net, at, here, n):
    """The sum of products of `n` weights with the activations."""
    total = 0
    for i in range(n):
        total += net.weights[at + i] * net.acts[here, i]
    return total


@kernel
def densely(net, number, here):
    """A dense layer between."""
    layer = net.layers[number]
    for j in range(layer[N_OUT]):
        total = net.biases[layer[AT_BIAS] + j] + dot(net, layer[AT_WEIGHTS] + j * layer[N_IN], here, layer[N_IN])
        net.acts[1 - here, j] = activated(total >> layer[SHIFT], ONE, 0, 12)


@kernel
def convolve(net, number, here):
    """A convolution with stride 1, its edges padded with zeros."""
    layer = net.layers[number]
    height, width, size, pad = layer[HEIGHT], layer[WIDTH], layer[KERNEL], layer[PAD]
    high, wide = height + 2 * pad - size + 1, width + 2 * pad - size + 1
    for channel in range(layer[CHANNELS_OUT]):
        for y in range(high):
            for x in range(wide):
                total = net.biases[layer[AT_BIAS] + channel]
                for before in range(layer[CHANNELS_IN]):
                    at = layer[AT_WEIGHTS] + (channel * layer[CHANNELS_IN] + before) * size * size
                    for dy in range(max(0, pad - y), min(size, height + pad - y)):
                        for dx in range(max(0, pad - x), min(size, width + pad - x)):
                            place = (before * height + y + dy - pad) * width + x + dx - pad
                            total += net.weights[at + dy * size + dx] * net.acts[here, place]
                net.acts[1 - here, (channel * high + y) * wide + x] = activated(total >> layer[SHIFT], ONE, 0, 12)


# --- moves that are not played -------------------------------------------------------------------------

# Here `net.rows` has an opposite for each row, row -1 - f that of row f, and a row of zeros in the middle
# (`arrays.with_opposites`): a feature that goes is one more row to add.
AT_ONCE = 8  # rows added in one loop; more, and there are not enough registers for their addresses


@kernel
def standing(state, seat, net):
    """Before moves of a position are valued: the followed sums as the seat that looks after the move will see them."""
    looker = 1 - to_move(state)
    write(state, looker, net.active)
    add_rows(net.rows, net.row_bias, net.sums, net.active, BEFORE, FOLLOWED)
    net.memo[SERIAL] += 1
    return 0.0, 0.0


@kernel
def after(state, seat, action, first, second, net):
    """The value for `seat` after a move that is not played; NaN where it must be."""
    looker = 1 - to_move(state)
    n, row = read_move(state, action, looker, net.rows, net.sums, net.active, net.memo)
    if n < 0:
        return np.nan
    if len(net.layers) == 1 and ACTIVATION != RELU:
        shift = net.shifts[ROW_SHIFT]
        total = net.biases[0] + head_after(net.rows, net.sums, net.active, net.weights, shift, row, n)
        value = squashed(total * net.scale[0])
        return value if seat == looker else -value
    add_own(net.rows, net.sums, net.active, row, n)
    return value_for(seat, looker, net)


@kernel
def after_all(state, seat, actions, n, values, net):
    """Write the values for `seat` after the first `n` of `actions`, none of which is played; NaN where one must be."""
    standing(state, seat, net)
    end = 0
    while end < n:
        end = after_until(state, seat, actions, end, n, values, -np.inf, np.inf, net)


@kernel
def after_until(state, seat, actions, first, n, values, low, high, net):
    """Write the values for `seat` after actions[first] and those that follow it, none of which is played.

    End after a value that does not lie within (low, high), NaN among them: that move must be played. Return where the
    next one stands. `standing` comes before it. The values are those of `after`: a net is a hundred words, and to hand
    it over anew for each move would take as long as to value the move.
    """
    looker = 1 - to_move(state)
    rows, sums, active, memo, weights = net.rows, net.sums, net.active, net.memo, net.weights
    is_narrow = len(net.layers) == 1 and ACTIVATION != RELU
    shift, bias = net.shifts[ROW_SHIFT], net.biases[0]
    scale = net.scale[0] if seat == looker else -net.scale[0]
    for i in range(first, n):
        value = np.nan
        if is_narrow:
            m, row = read_move(state, actions[i], looker, rows, sums, active, memo)
            if m >= 0:
                value = squashed((bias + head_after(rows, sums, active, weights, shift, row, m)) * scale)
        else:
            value = after(state, seat, actions[i], 0.0, 0.0, net)
        values[i] = value
        if not low < value < high:
            return i + 1
    return n


@kernel
def read_move(state, action, looker, rows, sums, active, memo):
    """Write the move's own changes; return how many, and the row that has the sums of its stem; -1: play the move.

    The sums of a stem are kept until the next `standing`, since moves come in any order; stems that share a place throw
    each other out.
    """
    branch = stem(action)
    place = branch & (STEMS - 1)
    row = AT_STEM + place
    n = own(state, action, looker, active)
    if n < 0 or (memo[FIRST_STEM + place] == branch and memo[FIRST_SERIAL + place] == memo[SERIAL]):
        return n, row
    memo[FIRST_STEM + place] = branch
    memo[FIRST_SERIAL + place] = memo[SERIAL]
    n = shared(state, action, looker, active)
    for i in range(sums.shape[1]):
        sums[row, i] = sums[BEFORE, i]
    more_rows(rows, sums, active, row, 0, n)
    return own(state, action, looker, active), row


@kernel
def add_own(rows, sums, active, row, n):
    """Write the sums after a move to HERE."""
    for i in range(sums.shape[1]):
        sums[HERE, i] = sums[row, i]
    more_rows(rows, sums, active, HERE, 0, n)


@kernel
def head_after(rows, sums, active, weights, shift, row, n):
    """As `head`, of the sums of the stem and the `n` rows of the move's own changes, the last of them on the way."""
    k = 0
    if n > AT_ONCE:
        k = n - AT_ONCE
        for i in range(sums.shape[1]):
            sums[HERE, i] = sums[row, i]
        more_rows(rows, sums, active, HERE, 0, k)
        row = HERE
    for j in range(n, AT_ONCE):
        active[j] = len(rows) >> 1  # zeros
    a, b, c, d = active[k], active[k + 1], active[k + 2], active[k + 3]
    e, f, g, h = active[k + 4], active[k + 5], active[k + 6], active[k + 7]
    one, down, up = np.int32(1 << shift), np.int32(2 * shift - 12), np.int32(12 - shift)
    total = np.int32(0)
    for i in range(sums.shape[1]):
        x = sums[row, i] + rows[a, i] + rows[b, i] + rows[c, i] + rows[d, i]
        x += rows[e, i] + rows[f, i] + rows[g, i] + rows[h, i]
        total += term(np.int16(x), weights[i], one, down, up)
    return np.int64(total)


# --- a policy over moves ------------------------------------------------------------------------------


@kernel
def look(state, seat, net):
    """Read a position for `seat`, which is to move: its value; then `liking` tells of its moves."""
    if INPUT == SPARSE:
        gather(state, seat, net)
    else:
        read_numbers(state, seat, net)
    outputs(net)
    here, width = net.memo[LAST_HIDDEN], net.policy.shape[1]
    for f in range(len(net.likings)):
        total = net.policy_bias[f]
        for i in range(width):
            total += net.policy[f, i] * net.acts[here, i]
        net.likings[f] = total
    return squashed(net.outs[0] * net.scale[0])


@kernel
def liking(state, action, net):
    """The policy's logit of a move of the position that `look` has read: the sum over the move's features."""
    n = write_action(state, action, net.active)
    total = 0
    for k in range(n):
        total += net.likings[net.active[k]]
    return total * net.scale[1]


@kernel
def decide(state, rng, out, net):
    """The move that the policy likes best, equals by lot: a policy for the agent `policy`, or for playouts."""
    look(state, to_move(state), net)
    n = legal_actions(state, out)
    best, chosen, n_equal = -np.inf, out[0], 0
    for k in range(n):
        found = liking(state, out[k], net)
        if found > best:
            best, chosen, n_equal = found, out[k], 1
        elif found == best:
            n_equal += 1
            if draw(rng, n_equal) == 0:
                chosen = out[k]
    return chosen
