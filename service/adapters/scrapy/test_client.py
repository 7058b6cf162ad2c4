"""The HTTP part and the endings, without Scrapy: python3 -m unittest discover -s service/adapters/scrapy"""

import json
import os
import sys
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "onceover_scrapy"))

from claims import Claim, Endings  # noqa: E402
from client import Client, ServiceError  # noqa: E402


class FakeService:
    """Answers each request with what `replies` gives next (a status, "lost", or a body), then with `fresh` for every item."""

    def __init__(self, *replies):
        self.asked = []
        self.done = {}
        replies = list(replies)
        service = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *words):
                pass

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                key = self.headers["Idempotency-Key"]
                service.asked.append((self.path, body, key, self.headers["Authorization"]))
                reply = replies.pop(0) if replies else None
                if isinstance(reply, int):
                    return self.answer(reply, json.dumps({"error": {"code": "x", "detail": "Do this."}}))
                if isinstance(reply, str) and reply != "lost":
                    return self.answer(200, reply)
                # As the service does it: the answers of a key are kept.
                if key not in service.done:
                    service.done[key] = [{"result": "fresh", "token": len(service.done) + 1}] * len(body["items"])
                if reply == "lost":
                    self.close_connection = True
                    return self.connection.shutdown(2)
                return self.answer(200, json.dumps({"items": service.done[key]}))

            def answer(self, status, text):
                self.send_response(status)
                self.end_headers()
                self.wfile.write(text.encode())

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def client_of(service, **options):
    return Client(service.url, "secret", "shop", "day", pause=0.01, **options)


class ClientTest(unittest.TestCase):
    def test_asks_for_namespace_and_round(self):
        with FakeService() as service:
            answers = client_of(service, lease=7).ask("lease", [{"url": "http://a.example.com/"}])
            self.assertEqual(answers, [{"result": "fresh", "token": 1}])
            path, body, _, authorization = service.asked[0]
            self.assertEqual(path, "/v1/ns/shop/lease")
            self.assertEqual(body, {"round": "day", "lease_ms": 7000, "items": [{"url": "http://a.example.com/"}]})
            self.assertEqual(authorization, "Bearer secret")

    def test_a_lost_reply_is_asked_for_again_by_the_same_key(self):
        with FakeService("lost", 503, 429, 502) as service:
            answers = client_of(service).ask("lease", [{"url": "http://a.example.com/"}])
            self.assertEqual(answers[0]["token"], 1)
            self.assertEqual(len(service.asked), 5)
            self.assertEqual(len({key for _, _, key, _ in service.asked}), 1)

    def test_every_batch_has_a_key_of_its_own_and_answers_keep_their_order(self):
        with FakeService() as service:
            items = [{"url": f"http://a.example.com/{n}"} for n in range(2500)]
            answers = client_of(service).ask("mark", items)
            self.assertEqual([len(body["items"]) for _, body, _, _ in service.asked], [1000, 1000, 500])
            self.assertEqual([answers[n]["token"] for n in (0, 999, 1000, 2499)], [1, 1, 2, 3])
            self.assertEqual(len({key for _, _, key, _ in service.asked}), 3)

    def test_what_cannot_get_better_is_said_at_once(self):
        with FakeService(401) as service:
            with self.assertRaisesRegex(ServiceError, "401: Do this"):
                client_of(service).ask("mark", [{"url": "http://a.example.com/"}])
            self.assertEqual(len(service.asked), 1)

    def test_nothing_is_made_of_an_answer_that_is_none(self):
        for reply in ("<!DOCTYPE html>", "[]", "null", '{"items": 5}', '{"items": []}'):
            with FakeService(reply) as service, self.assertRaises(ServiceError):
                client_of(service).ask("mark", [{"url": "http://a.example.com/"}])

    def test_says_what_to_do_where_nothing_listens(self):
        with FakeService() as service:
            url = service.url
        with self.assertRaisesRegex(ServiceError, "onceover serve"):
            Client(url, "secret", tries=2, pause=0.01).ask("mark", [{}])
        with self.assertRaisesRegex(ServiceError, "ONCEOVER_TOKEN"):
            Client(url, "")
        with self.assertRaisesRegex(ServiceError, "address of a service"):
            Client("localhost:8321", "secret")

    def test_waits_until_the_crawl_ends(self):
        with FakeService(*[503] * 1000) as service:
            client = client_of(service, tries=None)
            threading.Timer(0.3, client.finish).start()
            began = time.monotonic()
            with self.assertRaises(ServiceError):
                client.ask("mark", [{}])
            self.assertGreater(time.monotonic() - began, 0.25)
            self.assertGreater(len(service.asked), 2)


class Listener:
    def __init__(self, **invalid):
        self.told = []
        self._invalid = invalid

    def ask(self, verb, items):
        self.told.append((verb, items))
        return [{"result": self._invalid.get(verb, "fresh")} for _ in items]

    def redirects(self, items):
        return self.ask("redirects", items)


def told(endings, **invalid):
    listener = Listener(**invalid)
    endings.tell(listener)
    return dict(listener.told)


class EndingsTest(unittest.TestCase):
    def chain(self):
        """/a moved permanently to /b, and that leads to /c."""
        claim = Claim("/a", 1)
        claim.lead_on(True)
        claim.add("/b", 2)
        claim.lead_on(False)
        claim.add("/c", 3)
        return claim

    def test_a_chain_that_was_fetched(self):
        endings = Endings()
        endings.done(self.chain())
        self.assertEqual(
            told(endings),
            {
                "redirects": [{"from": "/a", "to": "/b", "permanent": True}],
                "commit": [{"url": "/b", "token": 2}, {"url": "/c", "token": 3}],
                "release": [{"url": "/a", "token": 1}],
            },
        )
        self.assertFalse(endings)

    def test_a_chain_that_led_to_a_seen_page(self):
        endings = Endings()
        claim = Claim("/a", 1)
        claim.lead_on(True)
        endings.done(claim, led_to="/b")
        self.assertEqual(
            told(endings),
            {
                "redirects": [{"from": "/a", "to": "/b", "permanent": True}],
                "release": [{"url": "/a", "token": 1}],
            },
        )

    def test_a_chain_that_failed_marks_nothing(self):
        endings = Endings()
        endings.failed(self.chain())
        self.assertEqual(
            told(endings),
            {
                "redirects": [{"from": "/a", "to": "/b", "permanent": True}],
                "release": [{"url": "/a", "token": 1}, {"url": "/b", "token": 2}, {"url": "/c", "token": 3}],
            },
        )

    def test_gone_is_said_of_the_last_page_only(self):
        endings = Endings()
        endings.done(self.chain(), "gone")
        self.assertEqual(
            told(endings)["commit"], [{"url": "/b", "token": 2}, {"url": "/c", "token": 3, "state": "gone"}]
        )

    def test_a_page_whose_lease_was_lost_is_marked_all_the_same(self):
        endings = Endings()
        endings.done(Claim("/a", 1), "gone")
        self.assertEqual(told(endings, commit="invalid")["mark"], [{"url": "/a", "state": "gone"}])

    def test_a_page_fetched_unasked_is_marked_and_never_released(self):
        endings = Endings()
        endings.done(Claim("/a", 0, asks=False))
        endings.failed(Claim("/b", 0, asks=False))
        self.assertEqual(told(endings), {"mark": [{"url": "/a"}]})

    def test_what_could_not_be_told_is_told_later(self):
        class Down(Listener):
            def ask(self, verb, items):
                if verb == "commit":
                    raise ServiceError(0, "down")
                return super().ask(verb, items)

        endings = Endings()
        endings.done(self.chain())
        taken = endings.take()
        with self.assertRaises(ServiceError):
            taken.tell(Down())
        endings.done(Claim("/d", 4))
        endings.give_back(taken)
        later = told(endings)
        self.assertNotIn("redirects", later)
        self.assertEqual([item["url"] for item in later["commit"]], ["/b", "/c", "/d"])


if __name__ == "__main__":
    unittest.main()
