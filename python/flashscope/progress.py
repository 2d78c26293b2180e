"""Shows the progress of long work."""


class Bar:
    """Progress bar for long work: tqdm if it is installed, otherwise nothing."""

    def __init__(self, title, wanted):
        self.title, self.bar, self.wanted = title, None, wanted
        self.show = self._show if wanted else None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.bar is not None:
            self.bar.close()

    def _show(self, done, of):
        if self.bar is None:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                self.bar = Nothing()
            else:
                self.bar = tqdm(total=of, desc=self.title, leave=False, delay=0.2)
        self.bar.update(done - self.bar.n)


class Nothing:
    """An invisible bar."""

    n = 0

    def update(self, by):
        pass

    def close(self):
        pass
