"""Problems as text for other programs."""
