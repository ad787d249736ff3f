"""The path-tracing back end: Blender's Python module, asked for a photo of a scene."""

from vision.synth.blender.rendering import render

__all__ = ["render"]
