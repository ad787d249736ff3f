"""The trained networks: ONNX files in ``vision/models``, run by onnxruntime, loaded when first needed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.errors import Unsupported
from vision.model_files import read_cards, read_model

Logits = npt.NDArray[np.float32]


class Network:
    """One network. Pictures go in as bytes (N, H, W, C); answers come out by name."""

    def __init__(self, model: bytes) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime's own errors share no better class
            raise Unsupported(
                f"onnxruntime {onnxruntime.__version__} cannot run a network ({type(error).__name__}); "
                "install a newer onnxruntime."
            ) from error
        self._input = self._session.get_inputs()[0].name
        self._outputs = [output.name for output in self._session.get_outputs()]

    def __call__(self, pictures: npt.NDArray[np.uint8]) -> dict[str, Logits]:
        planes = np.ascontiguousarray(pictures.transpose(0, 3, 1, 2)).astype(np.float32) / 127.5 - 1.0
        return dict(zip(self._outputs, self._session.run(self._outputs, {self._input: planes}), strict=True))


# Where the networks are, unless others are being tried out.
_folder: Traversable = files("vision") / "models"


def use_models(folder: Path) -> None:
    """Take the networks and cards of another folder from now on: newly trained ones that are not installed."""
    global _folder
    _folder = folder
    network.cache_clear()
    model_cards.cache_clear()


@cache
def network(name: str) -> Network:
    """A shipped network. Its checksum is verified, so that a damaged or foreign file is never run."""
    card = model_cards().get(name)
    if card is None:
        raise Unsupported(f'the network "{name}" is not installed; install Cityscan again, or train it.')
    return Network(read_model(_folder, card))


@cache
def model_cards() -> Mapping[str, Mapping[str, Any]]:
    """The cards of all shipped networks by name: file, checksum, data, seeds, figures."""
    return read_cards(_folder)


def models_folder() -> Traversable:
    """Where the networks that are in use lie."""
    return _folder


def softmax(logits: Logits, axis: int = 1, temperature: float = 1.0) -> npt.NDArray[np.float64]:
    """Probabilities of logits."""
    scaled = logits.astype(np.float64) / temperature
    scaled -= scaled.max(axis=axis, keepdims=True)
    grown = np.exp(scaled)
    return np.asarray(grown / grown.sum(axis=axis, keepdims=True))
