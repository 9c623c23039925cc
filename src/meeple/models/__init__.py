"""Trained functions, run as compiled code: `evaluation=model@FILE` in every search.

    network     the kernels of networks: rows of a sparse first layer, dense layers, convolutions, in whole numbers
    linear      the kernels of linear models
    arrays      what the kernels are handed: weights as arrays, and scratch of a thread
    whole       float weights into whole numbers; batch norm folded into a convolution
    model       a model: architecture, weights, card; made from arrays, checked
    file        .npz files of models: written, read, refused
    evaluation  a model as an evaluation of a game, and as priors of its moves
    found       models by name: those that come with a game, and one's own

A model is features of a game (core/features.py) and weights. Nothing is compiled for other weights or other widths:
they are arguments of the kernels (docs/learning.md).
"""
