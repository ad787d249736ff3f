"""The networks' architectures. Small on purpose: they run on phones' and laptops' CPUs, all together under 8 MB."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from vision.boards import GAMES, BoardView
from vision.finding import ALIGNER_SIDE, UNIT_CORNERS, aligner_grid


class Residual(nn.Module):
    """Two 3 x 3 convolutions beside a straight way."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.way = nn.Sequential(_conv(channels, channels), nn.Conv2d(channels, channels, 3, padding=1, bias=False))
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.norm(self.way(x)))


class Comparing(nn.Module):
    """Lets every cell look at all others, whatever their places: is this the same red as over there?

    Light and makers differ, so colours are told by comparing within the photo. The cells' places are not given:
    the network sees which pieces there are, not how games tend to go.
    """

    def __init__(self, channels: int, heads: int = 4) -> None:
        super().__init__()
        self.heads = heads
        self.before = nn.LayerNorm(channels)
        self.to_queries = nn.Linear(channels, channels)
        self.to_keys = nn.Linear(channels, channels)
        self.to_values = nn.Linear(channels, channels)
        self.merge = nn.Linear(channels, channels)
        self.think = nn.Sequential(
            nn.LayerNorm(channels), nn.Linear(channels, 2 * channels), nn.ReLU(), nn.Linear(2 * channels, channels)
        )

    def forward(self, cells: Tensor) -> Tensor:
        number, channels, rows, columns = cells.shape
        tokens = cells.flatten(2).transpose(1, 2)
        seen = self.before(tokens)
        queries, keys, values = (self._split(way(seen)) for way in (self.to_queries, self.to_keys, self.to_values))
        alike = torch.softmax(queries @ keys.transpose(2, 3) * (channels // self.heads) ** -0.5, dim=3)
        merged = (alike @ values).transpose(1, 2).reshape(number, rows * columns, channels)
        tokens = tokens + self.merge(merged)
        tokens = tokens + self.think(tokens)
        return tokens.transpose(1, 2).reshape(number, channels, rows, columns)

    def _split(self, tokens: Tensor) -> Tensor:
        number, places, channels = tokens.shape
        return tokens.reshape(number, places, self.heads, channels // self.heads).transpose(1, 2)


class BoardNet(nn.Module):
    """Answers every question about every cell of a rectified board at once.

    Besides the answers it gives ``shift``, where each cell really lies (in cells, from where it was cut), and what it
    saw of each cell and block (``seen_cells``, ``seen_blocks``), on which other heads can be trained for other sets.
    Where squares differ from board to board it also estimates their size (``scale``), because a pyramid's own size can
    only be told beside it.
    """

    def __init__(self, view: BoardView, width: int = 32) -> None:
        super().__init__()
        self.view = view
        wide, deep = 2 * width, 4 * width
        self.trunk = nn.Sequential(
            _conv(view.channels, width // 2 + 8, stride=view.coarsening),
            _conv(width // 2 + 8, width, stride=2),
            Residual(width),
            Residual(width),
            _conv(width, wide, stride=2),
            Residual(wide),
            Residual(wide),
            Residual(wide),
        )
        reduced = view.cell_px // view.reduction
        self.margin = view.margin_px // view.reduction
        self.to_cells = _patches(wide, deep, reduced)
        self.compare = nn.Sequential(Comparing(deep), Comparing(deep))
        self.heads = nn.ModuleDict({name: nn.Conv2d(deep, answers, 1) for name, answers in view.heads.items()})
        self.shift = nn.Conv2d(deep, 2, 1)
        if view.scaled:
            self.scale = nn.Conv2d(deep, 1, 1)
            self.tell_scale = nn.Sequential(nn.Linear(1, width), nn.ReLU(), nn.Linear(width, deep))
        self.block_heads = nn.ModuleDict()
        if view.block_heads:
            # A print in the middle of a block lies on the cells' borders, so blocks are looked at as wholes, too.
            self.to_blocks = _patches(wide, wide, reduced * view.block)
            self.cells_to_blocks = _patches(deep, deep, view.block)
            self.block_heads.update({n: nn.Conv2d(wide + deep, a, 1) for n, a in view.block_heads.items()})

    def forward(self, boards: Tensor) -> dict[str, Tensor]:
        features = self.trunk(boards)
        if self.margin:
            features = features[:, :, self.margin : -self.margin, self.margin : -self.margin]
        local = self.to_cells(features)
        first, second = self.compare
        cells = first(local)
        answers = {"shift": self.shift(local)}
        if self.view.scaled:
            answers["scale"] = self.scale(cells)
            cells = cells + self.tell_scale(answers["scale"].mean(dim=(2, 3)))[:, :, None, None]
        cells = second(cells)
        answers |= {name: head(cells) for name, head in self.heads.items()}
        answers["seen_cells"] = cells
        if self.block_heads:
            blocks = torch.cat([self.to_blocks(features), self.cells_to_blocks(cells)], dim=1)
            answers |= {name: head(blocks) for name, head in self.block_heads.items()} | {"seen_blocks": blocks}
        return answers


class LocatorNet(nn.Module):
    """Where in a small copy of the photo a board lies, and of which game: a mask a game and a map of corners."""

    def __init__(self, width: int = 12) -> None:
        super().__init__()
        w = width
        self.stem = _conv(3, w, stride=2)
        self.quarter = nn.Sequential(_conv(w, 2 * w, stride=2), Residual(2 * w))
        self.eighth = nn.Sequential(_conv(2 * w, 4 * w, stride=2), Residual(4 * w))
        self.sixteenth = nn.Sequential(_conv(4 * w, 6 * w, stride=2), Residual(6 * w), Residual(6 * w))
        self.thirtysecond = nn.Sequential(_conv(6 * w, 6 * w, stride=2), Residual(6 * w))
        self.up16 = _conv(12 * w, 4 * w)
        self.up8 = _conv(8 * w, 4 * w)
        self.up4 = nn.Sequential(_conv(6 * w, 2 * w), Residual(2 * w))
        self.masks = nn.Conv2d(2 * w, 1 + len(GAMES), 1)
        self.corners = nn.Conv2d(2 * w, 1, 1)

    def forward(self, photos: Tensor) -> dict[str, Tensor]:
        quarter = self.quarter(self.stem(photos))
        eighth = self.eighth(quarter)
        sixteenth = self.sixteenth(eighth)
        deepest = self.thirtysecond(sixteenth)
        x = self.up16(torch.cat([_twice(deepest), sixteenth], dim=1))
        x = self.up8(torch.cat([_twice(x), eighth], dim=1))
        x = self.up4(torch.cat([_twice(x), quarter], dim=1))
        return {"masks": self.masks(x), "corners": self.corners(x)}


class AlignerNet(nn.Module):
    """Looks at a roughly rectified board and says how its corners are off, which game it is and how it lies.

    Each corner has a map of where it may be; its place is the map's middle of mass, which is finer than the map.
    """

    grid: Tensor
    unit: Tensor

    def __init__(self, answers: Mapping[str, int], width: int = 12) -> None:
        super().__init__()
        w = width
        self.quarter = nn.Sequential(_conv(3, w, stride=2), _conv(w, 2 * w, stride=2), Residual(2 * w))
        self.eighth = nn.Sequential(_conv(2 * w, 4 * w, stride=2), Residual(4 * w))
        self.sixteenth = nn.Sequential(_conv(4 * w, 6 * w, stride=2), Residual(6 * w))
        self.thirtysecond = nn.Sequential(_conv(6 * w, 6 * w, stride=2), Residual(6 * w))
        self.up16 = _conv(12 * w, 4 * w)
        self.up8 = _conv(8 * w, 4 * w)
        self.up4 = nn.Sequential(_conv(6 * w, 2 * w), Residual(2 * w))
        self.maps = nn.Conv2d(2 * w, 4, 1)
        places = (ALIGNER_SIDE // 32) ** 2
        self.flat = nn.Sequential(nn.Conv2d(6 * w, w, 1), nn.ReLU(), nn.Flatten(), nn.Linear(w * places, 64), nn.ReLU())
        self.heads = nn.ModuleDict({name: nn.Linear(64, number) for name, number in answers.items()})
        self.register_buffer("grid", torch.from_numpy(aligner_grid()).float(), persistent=False)
        self.register_buffer("unit", torch.from_numpy(UNIT_CORNERS).float(), persistent=False)

    def forward(self, boards: Tensor) -> dict[str, Tensor]:
        quarter = self.quarter(boards)
        eighth = self.eighth(quarter)
        sixteenth = self.sixteenth(eighth)
        deepest = self.thirtysecond(sixteenth)
        x = self.up16(torch.cat([_twice(deepest), sixteenth], dim=1))
        x = self.up8(torch.cat([_twice(x), eighth], dim=1))
        maps = self.maps(self.up4(torch.cat([_twice(x), quarter], dim=1))).flatten(2)
        places = torch.softmax(maps, dim=2) @ self.grid
        features = self.flat(deepest)
        answers = {name: head(features) for name, head in self.heads.items()}
        return {"offsets": (places - self.unit).flatten(1), "maps": maps, **answers}


def _conv(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    # Each place sees a little beyond its own pixels.
    side = max(3, 2 * stride - 1)
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, side, stride=stride, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()
    )


def _patches(inputs: int, outputs: int, side: int) -> nn.Sequential:
    """One answer for each patch of ``side`` x ``side``."""
    return nn.Sequential(nn.Conv2d(inputs, outputs, side, stride=side, bias=False), nn.BatchNorm2d(outputs), nn.ReLU())


def _twice(x: Tensor) -> Tensor:
    return nn.functional.interpolate(x, scale_factor=2.0, mode="nearest")
