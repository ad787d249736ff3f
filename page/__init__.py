"""The page: Streamlit over vision and engine. It shows, asks and remembers; it reckons nothing itself."""
