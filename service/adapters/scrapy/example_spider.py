"""Walks a site and shares the round with whatever else asks the same service:

onceover serve                                  # prints the token
export ONCEOVER_TOKEN=…
scrapy runspider example_spider.py -a start=https://shop.example.com/ -s ONCEOVER_NAMESPACE=shop -s ONCEOVER_ROUND=day
"""

from urllib.parse import urlsplit

import onceover_scrapy
import scrapy


class ExampleSpider(scrapy.Spider):
    name = "example"
    custom_settings = {**onceover_scrapy.SETTINGS}

    def __init__(self, start, **kwargs):
        super().__init__(**kwargs)
        # Start addresses are fetched by every crawler: without their links it could not begin.
        self.start_urls = start.split(",")
        self.allowed_domains = [urlsplit(url).hostname for url in self.start_urls]

    def parse(self, response):
        yield {"url": response.url, "title": response.css("title::text").get()}
        yield from response.follow_all(css="a[href]", callback=self.parse)
