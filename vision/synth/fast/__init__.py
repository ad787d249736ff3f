"""The fast back end: draws a scene with numpy and OpenCV alone, in a fraction of a second."""

from vision.synth.fast.picture import index_pass, render

__all__ = ["index_pass", "render"]
