"""Piece-set profiles and camera and colour calibration, used by studio, reader and page alike."""
