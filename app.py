"""The page that Streamlit serves; everything is in ``page``."""

from page.main import run

run()
