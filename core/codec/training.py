"""Trains a VQ-GAN from images: unquantised at first, then with its codebook, at last against a discriminator.

The whole is a function of settings, images and seed: interrupted and resumed, it ends the same.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import torch
from taming.modules.discriminator.model import NLayerDiscriminator, weights_init
from torch import Tensor, nn

from core.codec.autoencoder import Autoencoder
from core.codec.codebook import CodebookSettings, MovingCodebook
from core.codec.config import CodecConfig
from core.codec.losses import (
    LossWeights,
    adaptive_weight,
    discriminator_loss,
    reconstruction_loss,
)


@dataclass(frozen=True)
class CodecTraining:
    """Settings of a codec's training; shares are of ``steps``."""

    steps: int = 3200
    """Number of updates of the autoencoder."""
    batch_size: int = 16
    """Number of images in a step."""
    learning_rate: float = 1e-3
    """Adam's learning rate for the autoencoder after the warm-up."""
    final_learning_rate: float = 2e-5
    """Learning rate at the end of the cosine."""
    warmup_steps: int = 100
    """Steps in which the learning rate rises linearly."""
    unquantised_share: float = 0.3
    """Share of the steps after which the codebook is used; until then latents pass through unquantised."""
    adversarial_share: float = 0.65
    """Share of the steps after which the discriminator is used."""
    discriminator_learning_rate: float = 1e-4
    """Adam's learning rate for the discriminator, which never changes."""
    discriminator_width: int = 32
    """Channels of the discriminator's first convolution."""
    discriminator_layers: int = 2
    """Number of the discriminator's convolutions that halve the side."""
    gradient_norm: float = 1.0
    """Norm that gradients are clipped to."""
    seed: int = 0
    """Seed of the first weights, of the order of the images, and of the codebook's start."""
    loss: LossWeights = field(default_factory=LossWeights)
    codebook: CodebookSettings = field(default_factory=CodebookSettings)

    @property
    def quantised_from(self) -> int:
        """First step with the codebook."""
        return round(self.steps * self.unquantised_share)

    @property
    def adversarial_from(self) -> int:
        """First step with the discriminator."""
        return round(self.steps * self.adversarial_share)

    def rate_at(self, step: int) -> float:
        """Return the share of the full learning rate at a ``step``, counted from 0.

        It rises linearly over the warm-up, then falls by a cosine to the final learning rate.
        """
        if step < self.warmup_steps:
            return (step + 1) / self.warmup_steps
        progress = (step - self.warmup_steps) / max(1, self.steps - self.warmup_steps)
        floor = self.final_learning_rate / self.learning_rate
        return floor + (1 - floor) * (1 + math.cos(math.pi * progress)) / 2


@dataclass(frozen=True)
class StepReport:
    """Measurements of one step."""

    step: int
    """Number of steps before this one."""
    reconstruction: float
    """Loss of the reconstruction, by the weights of the settings."""
    psnr: float
    """Peak signal-to-noise ratio of the batch before the update, in dB."""
    commitment: float = 0.0
    """Loss of taming's quantizer, unweighted; 0 before the codebook is used."""
    revived: int = 0
    """Number of codes that started again at a latent of the batch."""
    adversarial: float = 0.0
    """Loss of the autoencoder against the discriminator, unweighted; 0 before the discriminator is used."""
    discriminator: float = 0.0
    """Hinge loss of the discriminator; 0 before it is used."""


class CodecTrainer:
    """Trains one autoencoder on images held in memory, step by step."""

    def __init__(self, config: CodecConfig, images: Tensor, settings: CodecTraining) -> None:
        """Prepare the training of a new autoencoder.

        Args:
            config: Sizes of the codec.
            images: Images to train on, uint8 (n, 3, resolution, resolution).
            settings: Settings of the training.

        Raises:
            ValueError: a Gumbel codec, or images of another size.
        """
        side = config.resolution
        if config.gumbel:
            raise ValueError("Gumbel codecs are loaded, not trained")
        if images.dtype != torch.uint8 or images.shape[1:] != (3, side, side):
            raise ValueError(f"images must be uint8 of shape (n, 3, {side}, {side})")
        self.settings = settings
        self.step = 0
        self._images = images
        self._generator = torch.Generator().manual_seed(settings.seed)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(settings.seed)
            self.model = Autoencoder(config)
            self.discriminator = _discriminator(settings)
        _to_channels_last(self.model)
        _to_channels_last(self.discriminator)
        self.model.quantize.embedding.weight.requires_grad_(False)
        self._codebook = MovingCodebook(self.model.codebook, settings.codebook, self._generator)
        self._optimizer, self._opponent = _optimizers(self.model, self.discriminator, settings)

    def train_step(self) -> StepReport:
        """Update the autoencoder once, in the last phase the discriminator, too, and return a report of the step."""
        step, settings = self.step, self.settings
        self._set_rate(settings.rate_at(step))
        if step == settings.quantised_from:
            self._codebook.start(self._sampled_latents())
        pixels = self.batch(step)
        output, commitment, revived = self._reconstruct(pixels, quantised=step >= settings.quantised_from)
        loss = reconstruction_loss(output, pixels, settings.loss)
        total = loss + settings.loss.commitment * commitment
        fooling = torch.zeros(())
        if step >= settings.adversarial_from:
            fooling = -self.discriminator(output).mean()
            balance = adaptive_weight(loss, fooling, self.model.decoder.conv_out.weight)
            total = total + settings.loss.adversarial * balance * fooling
        self._update(total)
        opposed = self._update_discriminator(pixels, output) if step >= settings.adversarial_from else 0.0
        self.step += 1
        return StepReport(
            step, loss.item(), _psnr(output, pixels), commitment.item(), revived, fooling.item(), opposed
        )

    def _reconstruct(self, pixels: Tensor, quantised: bool) -> tuple[Tensor, Tensor, int]:
        latents = self.model.latents(pixels)
        if not quantised:
            return self.model.pixels(latents), torch.zeros(()), 0
        chosen, commitment, (_, _, nearest) = self.model.quantize(latents)
        output = self.model.pixels(chosen)
        # The update must follow the decoder's pass: it moves the codebook that the pass reads.
        revived = self._codebook.update(latents.permute(0, 2, 3, 1).flatten(0, 2), nearest.flatten())
        return output, commitment, revived

    def _update(self, loss: Tensor) -> None:
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), self.settings.gradient_norm)
        self._optimizer.step()

    def _update_discriminator(self, pixels: Tensor, output: Tensor) -> float:
        # Gradients that the autoencoder's backward pass left here are dropped.
        self._opponent.zero_grad(set_to_none=True)
        loss = discriminator_loss(self.discriminator(pixels), self.discriminator(output.detach()))
        loss.backward()
        self._opponent.step()
        return loss.item()

    def _set_rate(self, share: float) -> None:
        for group in self._optimizer.param_groups:
            group["lr"] = self.settings.learning_rate * share

    def batch(self, step: int) -> Tensor:
        """Return the images of a ``step``, float (batch_size, 3, resolution, resolution) in [-1, 1].

        Each pass goes over every image once, in an order of its own.
        """
        size, n = self.settings.batch_size, len(self._images)
        epoch, start = divmod(step * size, n)
        passes = range(epoch, epoch + (start + size - 1) // n + 1)
        order = torch.cat([_order(n, self.settings.seed, one) for one in passes])
        return _to_pixels(self._images[order[start : start + size]])

    @torch.no_grad()
    def _sampled_latents(self) -> Tensor:
        """Return latents of images drawn at random, at least kmeans_rows of them: (n, d)."""
        grid = self.model.config.grid
        wanted = -(-self.settings.codebook.kmeans_rows // grid**2)
        picks = torch.randperm(len(self._images), generator=self._generator)[:wanted]
        parts = [self.model.latents(_to_pixels(self._images[part])) for part in picks.split(64)]
        return torch.cat(parts).permute(0, 2, 3, 1).flatten(0, 2)

    def state_dict(self) -> dict[str, Any]:
        """Return the state of the training: everything that the next step depends on besides settings and images."""
        return {
            "step": self.step,
            "model": self.model.state_dict(),
            "discriminator": self.discriminator.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "opponent": self._opponent.state_dict(),
            "codebook": self._codebook.state_dict(),
            "random": self._generator.get_state(),
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue from ``state``, the result of ``state_dict()``."""
        self.step = state["step"]
        self.model.load_state_dict(state["model"])
        self.discriminator.load_state_dict(state["discriminator"])
        self._optimizer.load_state_dict(state["optimizer"])
        self._opponent.load_state_dict(state["opponent"])
        self._codebook.load_state_dict(state["codebook"])
        self._generator.set_state(state["random"])


def _discriminator(settings: CodecTraining) -> nn.Module:
    network: nn.Module = NLayerDiscriminator(
        ndf=settings.discriminator_width, n_layers=settings.discriminator_layers
    )
    return network.apply(weights_init)


def _to_channels_last(module: nn.Module) -> None:
    for parameter in module.parameters():
        if parameter.ndim == 4:
            parameter.data = parameter.data.contiguous(memory_format=torch.channels_last)


def _optimizers(
    model: nn.Module, discriminator: nn.Module, settings: CodecTraining
) -> tuple[torch.optim.Optimizer, torch.optim.Optimizer]:
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    return (
        torch.optim.Adam(trained, lr=settings.learning_rate, betas=(0.9, 0.99)),
        torch.optim.Adam(
            discriminator.parameters(), lr=settings.discriminator_learning_rate, betas=(0.5, 0.9)
        ),
    )


def _order(n: int, seed: int, epoch: int) -> Tensor:
    # An order of its own for each pass, so that a resumed training needs only its step.
    return torch.randperm(n, generator=torch.Generator().manual_seed(1_000_003 * seed + epoch))


def _to_pixels(images: Tensor) -> Tensor:
    return (images.float() / 127.5 - 1).contiguous(memory_format=torch.channels_last)


def _psnr(output: Tensor, pixels: Tensor) -> float:
    error = (output.detach().clamp(-1, 1) - pixels).square().mean() / 4
    return float(-10 * torch.log10(error))
