"""Networks as ONNX files with their cards."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from vision.model_files import CARDS

# Weights below this many numbers are not worth halving.
LEAST_HALVED = 256


class _Named(nn.Module):
    """ONNX wants a tuple of answers in a fixed order."""

    def __init__(self, net: nn.Module, names: list[str]) -> None:
        super().__init__()
        self.net = net
        self.names = names

    def forward(self, pictures: Tensor) -> tuple[Tensor, ...]:
        answers = self.net(pictures)
        return tuple(answers[name] for name in self.names)


def export(net: nn.Module, example: Tensor, name: str, folder: Path, card: Mapping[str, Any]) -> Path:
    """Write ``name.onnx`` and its card into ``folder``; returns the file."""
    net.eval()
    with torch.no_grad():
        names = list(net(example))
    file = io.BytesIO()
    torch.onnx.export(
        _Named(net, names),
        (example,),
        file,  # type: ignore[arg-type]
        input_names=["pictures"],
        output_names=names,
        dynamic_axes={"pictures": {0: "n"}, **{answer: {0: "n"} for answer in names}},
        opset_version=17,
        dynamo=False,
    )
    model = _halved(onnx.load_from_string(file.getvalue()))
    onnx.checker.check_model(model)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.onnx"
    path.write_bytes(model.SerializeToString())
    _add_card(folder / CARDS, name, path, card)
    return path


def _halved(model: onnx.ModelProto) -> onnx.ModelProto:
    """Weights as half floats that are widened when the network is loaded: half the file, the same arithmetic."""
    graph = model.graph
    casts = []
    for number, weight in enumerate(list(graph.initializer)):
        values = numpy_helper.to_array(weight)
        if values.dtype != np.float32 or values.size < LEAST_HALVED:
            continue
        half = numpy_helper.from_array(values.astype(np.float16), weight.name + "_half")
        casts.append(helper.make_node("Cast", [half.name], [weight.name], to=TensorProto.FLOAT, name=f"widen_{number}"))
        graph.initializer.remove(weight)
        graph.initializer.append(half)
    nodes = list(graph.node)
    del graph.node[:]
    graph.node.extend(casts + nodes)
    return model


def _add_card(cards: Path, name: str, model: Path, card: Mapping[str, Any]) -> None:
    known = json.loads(cards.read_text(encoding="utf-8")) if cards.exists() else {}
    content = model.read_bytes()
    checksum = hashlib.sha256(content).hexdigest()
    known[name] = {"file": model.name, "sha256": checksum, "bytes": len(content), **card}
    cards.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")
