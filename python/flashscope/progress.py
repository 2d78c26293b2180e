"""Shows how far long work is."""


class Bar:
    """Progress of long work: a bar of tqdm where it is installed, nothing elsewhere."""

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
    """A bar that nobody sees."""

    n = 0

    def update(self, by):
        pass

    def close(self):
        pass
