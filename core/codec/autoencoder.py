"""The VQ-GAN assembled from taming-transformers' modules, and from an encoder of ours where a run asks for it.

Esser et al., Taming Transformers for High-Resolution Image Synthesis, 2021. ``taming.models.vqgan`` itself
needs pytorch-lightning; the modules it is made of do not.
"""

import io
from contextlib import redirect_stdout

import torch
from taming.modules.diffusionmodules.model import Decoder, Encoder
from taming.modules.vqvae.quantize import GumbelQuantize, VectorQuantizer2
from torch import Tensor, nn
from torch.nn import functional

from core.codec.config import CodecConfig

COMMITMENT = 0.25
"""Weight of the commitment loss inside taming's quantizer, as in its published configurations."""


class Autoencoder(nn.Module):
    """Maps pixels in [-1, 1] to latents, latents to codes, codes to latents, and latents to pixels.

    Its state dict has the names of taming's ``VQModel`` and ``GumbelVQ`` without their loss; a `PatchEncoder` has
    names of its own.
    """

    def __init__(self, config: CodecConfig) -> None:
        """Build networks and codebook in the sizes of ``config``, with random weights from torch's generator."""
        super().__init__()
        params, backbone = config.model.params, config.model.params.ddconfig
        self.config = config
        self.unshuffle = params.pixel_unshuffle
        # taming prints while it builds a decoder, and a trainer's standard output carries messages.
        with redirect_stdout(io.StringIO()):
            self.encoder = PatchEncoder(config) if params.patch_encoder else Encoder(**backbone.model_dump())
            self.decoder = Decoder(**backbone.model_dump())
        self.quant_conv = nn.Conv2d(backbone.z_channels, params.embed_dim, 1)
        self.post_quant_conv = nn.Conv2d(params.embed_dim, backbone.z_channels, 1)
        self.quantize = (
            GumbelQuantize(backbone.z_channels, params.embed_dim, n_embed=params.n_embed)
            if config.gumbel
            else VectorQuantizer2(params.n_embed, params.embed_dim, COMMITMENT, legacy=False)
        )

    @property
    def codebook(self) -> Tensor:
        """The codebook, (n_embed, embed_dim)."""
        weight: Tensor = (self.quantize.embed if self.config.gumbel else self.quantize.embedding).weight
        return weight

    def latents(self, pixels: Tensor) -> Tensor:
        """Map ``pixels``, (n, 3, H, W) in [-1, 1], to unquantised latents, (n, embed_dim, H / f, W / f)."""
        hidden = self.encoder(functional.pixel_unshuffle(pixels, self.unshuffle))
        latents: Tensor = self.quant_conv(hidden)
        return latents

    def nearest(self, latents: Tensor) -> Tensor:
        """Return the codes, (n, H / f, W / f), of ``latents``, (n, embed_dim, H / f, W / f).

        The code is that of the nearest codebook vector, or of the largest Gumbel logit. taming's
        ``GumbelQuantize`` draws noise in evaluation as well; without it the same image always has the same codes,
        the likeliest ones.
        """
        if self.config.gumbel:
            logits: Tensor = self.quantize.proj(latents)
            return logits.argmax(dim=1)
        rows = latents.permute(0, 2, 3, 1).flatten(0, 2)
        n, _, height, width = latents.shape
        return nearest_rows(rows, self.codebook).view(n, height, width)

    def entries(self, codes: Tensor) -> Tensor:
        """Map ``codes``, (n, h, w), to their codebook vectors, (n, embed_dim, h, w)."""
        return functional.embedding(codes, self.codebook).permute(0, 3, 1, 2).contiguous()

    def pixels(self, latents: Tensor) -> Tensor:
        """Map ``latents``, (n, embed_dim, h, w), to pixels, (n, 3, h * f, w * f).

        The pixels are in about [-1, 1], not clamped.
        """
        hidden = self.decoder(self.post_quant_conv(latents))
        return functional.pixel_shuffle(hidden, self.unshuffle)


class PatchEncoder(nn.Module):
    """Encodes the pixels of each code's own place alone: equal parts of pictures have equal codes, wherever they are.

    taming's encoder sees the surroundings, and its norms the whole image. A model that is to draw a known thing at a
    new place, or beside another, would have to know other codes for it there.
    """

    def __init__(self, config: CodecConfig) -> None:
        """Build the maps from the pixels of a place to ``z_channels``.

        Args:
            config: Sizes of the codec; the weights are random, from torch's generator.
        """
        super().__init__()
        params, backbone = config.model.params, config.model.params.ddconfig
        self.unshuffle = config.downsampling // params.pixel_unshuffle
        width = 4 * backbone.z_channels
        self.layers = nn.Sequential(
            nn.Conv2d(backbone.in_channels * self.unshuffle**2, width, 1),
            nn.SiLU(),
            nn.Conv2d(width, width, 1),
            nn.SiLU(),
            nn.Conv2d(width, backbone.z_channels, 1),
        )

    def forward(self, blocks: Tensor) -> Tensor:
        """Map ``blocks`` of pixels, (n, in_channels, H / k, W / k), to (n, z_channels, H / f, W / f)."""
        hidden: Tensor = self.layers(functional.pixel_unshuffle(blocks, self.unshuffle))
        return hidden


def nearest_rows(rows: Tensor, codebook: Tensor) -> Tensor:
    """Return the index of the nearest codebook row for each row, by Euclidean distance: int64 of shape (n,).

    ``rows`` is of shape (n, d), ``codebook`` of shape (k, d).
    """
    return torch.addmm(codebook.square().sum(dim=1), rows, codebook.t(), alpha=-2).argmin(dim=1)
