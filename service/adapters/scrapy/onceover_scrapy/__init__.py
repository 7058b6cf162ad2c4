"""Lets Scrapy share a round with other crawlers and inspectors: see README.md beside this folder.

    custom_settings = {**onceover_scrapy.SETTINGS, "ONCEOVER_TOKEN": "…"}

Works with Scrapy 2.8 and newer. A page is leased from the service just before it is fetched, many in one request; it is
committed when the spider has taken it in, and released when it could not be fetched.
"""

import hashlib
import logging
import os
import secrets
import time
from collections import deque

from scrapy import signals
from scrapy.core.scheduler import Scheduler as ScrapyScheduler
from scrapy.dupefilters import BaseDupeFilter
from scrapy.utils.defer import deferred_from_coro
from twisted.internet import defer, task
from twisted.internet.threads import deferToThread

from .claims import Claim, Endings
from .client import Client, ServiceError

__all__ = ["SETTINGS", "DupeFilter", "Scheduler", "ServiceError"]

SETTINGS = {
    "SCHEDULER": "onceover_scrapy.Scheduler",
    "DUPEFILTER_CLASS": "onceover_scrapy.DupeFilter",
}

logger = logging.getLogger(__name__)

# In the meta of a request that may be fetched: the name of its claim.
CLAIM = "onceover_claim"


class DupeFilter(BaseDupeFilter):
    """Refuses what this crawler has queued before, letter by letter. What else is the same page the service decides.

    Scrapy's own filter sorts parameters and drops fragments: it would merge pages that our keys hold apart.
    """

    def __init__(self, stats=None):
        self._queued = set()
        self._stats = stats

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler.stats)

    def request_seen(self, request):
        text = b"\0".join((request.method.encode(), request.url.encode(), request.body))
        digest = hashlib.blake2b(text, digest_size=16).digest()
        if digest in self._queued:
            if self._stats is not None:
                self._stats.inc_value("dupefilter/filtered")
            return True
        self._queued.add(digest)
        return False

    def log(self, request, spider):
        pass


class Scheduler(ScrapyScheduler):
    """Scrapy's scheduler, which hands out only what the service has leased to this crawler."""

    @classmethod
    def from_crawler(cls, crawler):
        scheduler = super().from_crawler(crawler)
        scheduler._prepare(crawler)
        return scheduler

    def _prepare(self, crawler):
        settings = crawler.settings
        when_down = settings.get("ONCEOVER_WHEN_DOWN", "stop")
        if when_down not in ("stop", "wait"):
            raise ValueError(f'ONCEOVER_WHEN_DOWN must be "stop" or "wait", not {when_down!r}')
        self._client = Client(
            settings.get("ONCEOVER_SERVICE", "http://127.0.0.1:8321"),
            settings.get("ONCEOVER_TOKEN") or os.environ.get("ONCEOVER_TOKEN", ""),
            settings.get("ONCEOVER_NAMESPACE", "default"),
            settings.get("ONCEOVER_ROUND", "all"),
            settings.getfloat("ONCEOVER_LEASE", 300),
            tries=None if when_down == "wait" else settings.getint("ONCEOVER_TRIES", 8),
        )
        self._client.on_retry = _Seldom(30, lambda error: logger.warning("Waiting for the service: %s", error))
        self._ahead = max(1, settings.getint("ONCEOVER_AHEAD", settings.getint("CONCURRENT_REQUESTS", 16)))
        self._poll = settings.getfloat("ONCEOVER_POLL", 2)
        self._claims = {}
        # Requests that may be fetched now; those that wait for others' leases, each with the time to ask again; those asked about now.
        self._ready = deque()
        self._parked = []
        self._asking = []
        self._endings = Endings()
        self._extended_at = time.monotonic()
        self._talk = None
        self._is_closing = False
        crawler.signals.connect(self._on_response, signals.response_received)
        crawler.signals.connect(self._on_error, signals.spider_error)

    # ---- What the engine calls ----

    def open(self, spider):
        self._tick = task.LoopingCall(self._turn)
        self._tick.start(min(1, self._poll, self._client.lease / 6), now=False)
        return super().open(spider)

    def enqueue_request(self, request):
        claim = self._claims.get(request.meta.get(CLAIM))
        if claim is not None and _goes_on(claim, request):
            if request.url != claim.url:
                claim.lead_on(request.meta["redirect_reasons"][-1] in (301, 308))
            claim.request = None
            # Whether it is a duplicate the service says.
            request.dont_filter = True
        else:
            # Copied by the spider from a response's meta.
            request.meta.pop(CLAIM, None)
        return super().enqueue_request(request)

    def next_request(self):
        self._turn()
        while self._ready:
            request = self._ready.popleft()
            claim = self._claims.get(request.meta.get(CLAIM))
            if claim is None:
                return request
            if not claim.asks or claim.pages[-1].token:
                claim.request, claim.status, claim.error = request, None, False
                return request
            # The lease was lost while the request waited here.
            del self._claims[request.meta[CLAIM]]
            self._endings.failed(claim)
            self._parked.append((0, request))
        return None

    def has_pending_requests(self):
        return bool(self._ready or self._parked or self._asking) or super().has_pending_requests()

    def close(self, reason):
        self._is_closing = True
        if self._tick.running:
            self._tick.stop()
        self._client.finish()
        # Of its own: this may be called from within a callback of the talk.
        closed = defer.Deferred()
        closed.addCallback(lambda _: self._give_back())
        closed.addErrback(self._cannot_give_back)
        closed.addBoth(lambda _: self._store_queue())
        closed.addBoth(lambda _: ScrapyScheduler.close(self, reason))
        if self._talk is None:
            closed.callback(None)
        else:
            self._talk.addBoth(lambda _: closed.callback(None))
        return closed

    # ---- What became of a request ----

    def _on_response(self, response, request):
        claim = self._claims.get(request.meta.get(CLAIM))
        if claim is not None:
            claim.status = response.status

    def _on_error(self, response):
        request = getattr(response, "request", None)
        claim = self._claims.get(request.meta.get(CLAIM)) if request is not None else None
        if claim is not None:
            claim.error = True

    def _end_finished(self):
        """Ends the claims of requests that the engine is done with: downloaded, and taken in by spider and pipelines."""
        slot = self._slot()
        if slot is None:
            return
        for name, claim in list(self._claims.items()):
            if claim.request is not None and claim.request not in slot.inprogress:
                self._end(name, claim)

    def _end(self, name, claim):
        del self._claims[name]
        if claim.status in (404, 410):
            self._count("gone")
            self._endings.done(claim, "gone")
        elif claim.status is not None and 200 <= claim.status < 400 and not claim.error:
            self._count("committed")
            self._endings.done(claim)
        else:
            self._count("released")
            self._endings.failed(claim)

    # ---- The conversation with the service: one batch of everything at a time, in a thread ----

    def _turn(self):
        self._end_finished()
        if self._talk is not None or self._is_closing:
            return
        asked = self._take_due() + self._take_queued()
        now = time.monotonic()
        extended = []
        if now - self._extended_at > self._client.lease / 3:
            self._extended_at = now
            extended = [page for claim in self._claims.values() if not claim.waits for page in claim.leases()]
        if not (asked or extended or self._endings):
            return
        self._asking = asked
        endings = self._endings.take()
        pairs = [(request, self._claims.get(request.meta.get(CLAIM))) for request in asked]
        self._talk = deferToThread(self._tell_and_ask, endings, extended, pairs)
        self._talk.addCallback(self._take_answers, pairs)
        self._talk.addErrback(self._stop, endings)
        self._talk.addBoth(self._wake)

    def _take_due(self):
        now = time.monotonic()
        due = [request for at, request in self._parked if at <= now]
        if due:
            self._parked = [(at, request) for at, request in self._parked if at > now]
        return due

    def _take_queued(self):
        """Requests from the queue that have to be asked about; what may be fetched anyway is made ready."""
        asked = []
        while len(self._ready) + len(asked) < self._ahead:
            request = super().next_request()
            if request is None:
                break
            claim = self._claims.get(request.meta.get(CLAIM))
            is_page = request.method == "GET" and request.url.startswith(("http://", "https://"))
            if not is_page or (claim is not None and claim.url == request.url):
                self._ready.append(request)
            elif claim is not None and not claim.asks:
                claim.add(request.url, 0)
                self._ready.append(request)
            elif claim is None and CLAIM not in request.meta and _is_wanted_anyway(request):
                self._begin(request, Claim(request.url, 0, asks=False))
            else:
                asked.append(request)
        return asked

    def _tell_and_ask(self, endings, extended, pairs):
        """In the thread. Returns an answer for each pair."""
        endings.tell(self._client)
        if extended:
            items = [{"url": page.url, "token": page.token} for page in extended]
            for page, answer in zip(extended, self._client.ask("extend", items)):
                if answer["result"] == "invalid":
                    # Somebody else has it now. What was fetched is marked all the same.
                    page.token = 0
        answers = [None] * len(pairs)
        # A redirect often leads to another address of the same page, which is leased already: then its token fits.
        probes = [
            (index, {"url": request.url, "token": page.token})
            for index, (request, claim) in enumerate(pairs)
            if claim is not None
            for page in claim.leases()
        ]
        if probes:
            for (index, _), answer in zip(probes, self._client.ask("extend", [item for _, item in probes])):
                if answer["result"] == "leased":
                    answers[index] = {"result": "same"}
        rest = [index for index, answer in enumerate(answers) if answer is None]
        if rest:
            items = [{"url": pairs[index][0].url} for index in rest]
            for index, answer in zip(rest, self._client.ask("lease", items)):
                answers[index] = answer
        return answers

    def _take_answers(self, answers, pairs):
        self._asking = []
        for (request, claim), answer in zip(pairs, answers):
            result = answer["result"]
            if claim is not None:
                claim.waits = False
            if result == "fresh":
                self._count("leased")
                if claim is None:
                    self._begin(request, Claim(request.url, answer["token"]))
                else:
                    claim.add(request.url, answer["token"])
                    self._ready.append(request)
            elif result == "same":
                claim.url = request.url
                self._ready.append(request)
            elif result == "seen":
                self._count("seen")
                if claim is not None:
                    del self._claims[request.meta[CLAIM]]
                    self._endings.done(claim, led_to=request.url)
            elif result == "invalid":
                self._take_invalid(request, claim, answer["reason"])
            else:
                self._count("waited")
                if claim is not None:
                    claim.waits = True
                until = answer["retry_at"] if result == "retry_at" else answer["until"]
                delay = max(0.05, until / 1000 - time.time())
                self._parked.append((time.monotonic() + min(delay, self._poll), request))

    def _take_invalid(self, request, claim, reason):
        if reason == "form":
            raise ServiceError(
                409, "The namespace holds keys of another policy or form: choose another ONCEOVER_NAMESPACE."
            )
        # The address has no key, so nobody can have seen it: every crawler asks for it itself.
        logger.debug("No key for %s (%s): it is fetched unasked", request.url, reason)
        self._count("without_key")
        if claim is not None:
            del self._claims[request.meta.pop(CLAIM)]
            self._endings.failed(claim)
        self._ready.append(request)

    def _begin(self, request, claim):
        name = secrets.token_hex(8)
        self._claims[name] = claim
        request.meta[CLAIM] = name
        self._ready.append(request)

    def _wake(self, _):
        self._talk = None
        slot = self._slot()
        if slot is not None and not self._is_closing:
            slot.nextcall.schedule()

    def _stop(self, failure, endings):
        self._endings.give_back(endings)
        if self._is_closing:
            return
        self._is_closing = True
        if failure.check(ServiceError):
            logger.error("The crawl stops, nothing was guessed. %s", failure.value)
        else:
            logger.error("The crawl stops: %s", failure.getTraceback())
        engine = self.crawler.engine
        close = getattr(engine, "close_spider_async", None)
        if close is not None:
            deferred_from_coro(close(reason="onceover_service"))
        else:
            engine.close_spider(self.spider, "onceover_service")

    # ---- The end of the crawl ----

    def _give_back(self):
        """Releases what was leased and not fetched."""
        self._end_finished()
        for name, claim in list(self._claims.items()):
            self._end(name, claim)
        endings = self._endings.take()
        return deferToThread(endings.tell, self._client) if endings else None

    def _cannot_give_back(self, failure):
        logger.warning(
            "The service could not be told how the last pages ended; their leases end by themselves within %g seconds: %s",
            self._client.lease,
            failure.value,
        )

    def _store_queue(self):
        """What waits here goes back to the queue, which a job directory keeps."""
        waiting = [*self._ready, *self._asking, *(request for _, request in self._parked)]
        self._ready.clear()
        self._asking, self._parked = [], []
        if self.dqs is not None:
            for request in waiting:
                # The name of its claim stays in its meta and says nothing any more: it is asked about again.
                self._dqpush(request)

    # ---- Means ----

    def _slot(self):
        engine = self.crawler.engine
        # Scrapy 2.13 gave it another name.
        return getattr(engine, "_slot", None) or getattr(engine, "slot", None)

    def _count(self, what):
        self.stats.inc_value(f"onceover/{what}")


def _goes_on(claim, request):
    """Whether the request is the claim's page tried again, or what it redirected to; not one that the spider made from its meta."""
    if request.url == claim.url:
        return request.dont_filter
    return claim.request is not None and request.meta.get("redirect_urls", [])[-1:] == [claim.url]


def _is_wanted_anyway(request):
    return request.dont_filter or request.meta.get("onceover") is False


class _Seldom:
    """Calls at most once in so many seconds."""

    def __init__(self, seconds, call):
        self._seconds = seconds
        self._call = call
        self._next = 0.0

    def __call__(self, *words):
        now = time.monotonic()
        if now >= self._next:
            self._next = now + self._seconds
            self._call(*words)
