"""Losses of a reconstruction: pixels, edges, colours, and a patch discriminator."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

MAX_ADAPTIVE_WEIGHT = 1e4


@dataclass(frozen=True)
class LossWeights:
    """Weights of the terms of the codec's loss; pixels are in [-1, 1]."""

    absolute: float = 1.0
    """Weight of the mean absolute error of the pixels (L1)."""
    squared: float = 1.0
    """Weight of the mean squared error of the pixels."""
    edge: float = 1.0
    """Weight of the L1 distance of the differences between neighbouring pixels, which keeps outlines."""
    chroma: float = 0.5
    """Weight of the L1 distance of two opponent colours over 4 x 4 blocks, which keeps colours."""
    commitment: float = 1.0
    """Weight of taming's quantizer loss, which has a factor of its own."""
    adversarial: float = 0.2
    """Weight of the discriminator beside `adaptive_weight`, its gradient's ratio to that of the reconstruction."""


def reconstruction_loss(output: Tensor, image: Tensor, weights: LossWeights) -> Tensor:
    """Return the codec's loss without commitment and discriminator, a scalar.

    Args:
        output: Reconstructions, (n, 3, H, W) in [-1, 1].
        image: Images, in the same shape and range.
        weights: Weights of the terms.
    """
    loss = weights.absolute * functional.l1_loss(output, image)
    loss = loss + weights.squared * functional.mse_loss(output, image)
    loss = loss + weights.edge * edge_loss(output, image)
    return loss + weights.chroma * chroma_loss(output, image)


def edge_loss(output: Tensor, image: Tensor) -> Tensor:
    """Return the L1 distance of the horizontal and vertical differences of neighbouring pixels, a scalar.

    ``output`` and ``image`` are of shape (n, 3, H, W).
    """
    error = output - image
    return error.diff(dim=2).abs().mean() + error.diff(dim=3).abs().mean()


def chroma_loss(output: Tensor, image: Tensor) -> Tensor:
    """Return the L1 distance of the two opponent colours, each averaged over blocks of 4 x 4 pixels, a scalar.

    ``output`` and ``image`` are of shape (n, 3, H, W).
    """
    red, green, blue = functional.avg_pool2d(output - image, 4).unbind(dim=1)
    return (red - green).abs().mean() + (blue - (red + green) / 2).abs().mean()


def discriminator_loss(real: Tensor, fake: Tensor) -> Tensor:
    """Return the hinge loss of the discriminator, a scalar, as in taming.

    ``real`` and ``fake`` are its outputs for images and for reconstructions, of any shape.
    """
    return (functional.relu(1 - real).mean() + functional.relu(1 + fake).mean()) / 2


def adaptive_weight(reconstruction: Tensor, adversarial: Tensor, last_layer: Tensor) -> Tensor:
    """Return the ratio of two losses' gradients at the decoder's last layer, a scalar.

    Taming Transformers, equation 7; the ratio is at most `MAX_ADAPTIVE_WEIGHT`, and has no gradient.

    Args:
        reconstruction: Reconstruction loss, a scalar.
        adversarial: The generator's loss against the discriminator, a scalar.
        last_layer: Weight of the decoder's last layer, of any shape.
    """
    pulls = [
        torch.autograd.grad(loss, last_layer, retain_graph=True)[0].norm()
        for loss in (reconstruction, adversarial)
    ]
    ratio: Tensor = pulls[0] / (pulls[1] + 1e-4)
    return ratio.clamp(0, MAX_ADAPTIVE_WEIGHT).detach()
