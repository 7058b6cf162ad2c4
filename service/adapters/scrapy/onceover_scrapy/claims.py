"""What a crawler holds of the service while it fetches: leases, and how they end. Knows neither Scrapy nor HTTP."""


class Page:
    """A page on the way of a request: the address it was asked by, and the token of its lease (0: it was not asked)."""

    __slots__ = ("url", "token", "moved")

    def __init__(self, url, token):
        self.url = url
        self.token = token
        # Whether the redirect that led on from here is permanent.
        self.moved = False


class Claim:
    """The right to fetch one request: its page, and those that redirected to it.

    All of them end together: only when the last one was fetched is it known that the others are done.
    """

    __slots__ = ("url", "pages", "asks", "waits", "request", "status", "error")

    def __init__(self, url, token, asks=True):
        self.url = url
        self.pages = [Page(url, token)]
        # False: the request is fetched whatever the service says, and so are pages it redirects to.
        self.asks = asks
        # Waits for somebody else's page. Its leases are not made longer then, so that two crawlers, each of which waits for the
        # page of the other, do not wait for ever.
        self.waits = False
        self.request = None
        self.status = None
        self.error = False

    def lead_on(self, permanent):
        """A redirect leads on from the last page."""
        self.pages[-1].moved = permanent

    def add(self, url, token):
        self.url = url
        self.pages.append(Page(url, token))

    def leases(self):
        return [page for page in self.pages if page.token]


class Endings:
    """What the service has still to be told, gathered for its batches."""

    def __init__(self):
        self.redirects = []
        self.commits = []
        self.marks = []
        self.releases = []

    def __bool__(self):
        return bool(self.redirects or self.commits or self.marks or self.releases)

    def done(self, claim, state="visited", led_to=None):
        """The claim's last page was fetched; or it led to the address ``led_to``, a page that had been seen."""
        *before, last = claim.pages
        following = [page.url for page in claim.pages[1:]] + [led_to]
        if led_to is not None:
            before = claim.pages
        for page, target in zip(before, following):
            if page.moved:
                # It is seen from now on wherever its target is, and needs no mark of its own.
                self._moved(page, target)
                self._release(page)
            else:
                self._fetched(page, "visited")
        if led_to is None:
            self._fetched(last, state)

    def failed(self, claim):
        """Others may try. What is known of permanent redirects is kept."""
        for page, target in zip(claim.pages, claim.pages[1:]):
            if page.moved:
                self._moved(page, target.url)
        for page in claim.pages:
            self._release(page)

    def _moved(self, page, target):
        self.redirects.append({"from": page.url, "to": target, "permanent": True})

    def _fetched(self, page, state):
        item = {"url": page.url}
        if state != "visited":
            item["state"] = state
        if page.token:
            self.commits.append({**item, "token": page.token})
        else:
            self.marks.append(item)

    def _release(self, page):
        if page.token:
            self.releases.append({"url": page.url, "token": page.token})

    def tell(self, client):
        """Tells the service everything; what was told is forgotten here, so that after an error the rest can be told again."""
        if self.redirects:
            client.redirects(self.redirects)
            self.redirects = []
        if self.commits:
            answers = client.ask("commit", self.commits)
            # The lease was lost (the machine slept), but the page was fetched.
            for item, answer in zip(self.commits, answers):
                if answer["result"] == "invalid":
                    self.marks.append({name: value for name, value in item.items() if name != "token"})
            self.commits = []
        if self.marks:
            client.ask("mark", self.marks)
            self.marks = []
        if self.releases:
            client.ask("release", self.releases)
            self.releases = []

    def take(self):
        """Everything gathered so far; gathers anew from here on."""
        taken = Endings()
        taken.__dict__, self.__dict__ = self.__dict__, taken.__dict__
        return taken

    def give_back(self, other):
        for name, items in other.__dict__.items():
            getattr(self, name)[:0] = items
