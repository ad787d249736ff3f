"""The page. For now it says what works already; the photo, check and score steps follow."""

import streamlit as st

st.set_page_config(page_title="Cityscan", page_icon="🏙️")
st.title("Cityscan")
st.info("The page for scoring photos is coming. Until then, score a position with `cityscan score FILE`.")
