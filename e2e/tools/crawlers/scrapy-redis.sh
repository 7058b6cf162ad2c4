#!/bin/sh
# Pushes the messages of FILE as the format's `use` says, then lets a spider of scrapy-redis take them: scrapy-redis.sh FILE
set -eu
port=$((20000 + $$ % 20000))
redis-server --bind 127.0.0.1 --port "$port" --save '' --appendonly no >redis.log &
redis=$!
trap 'kill "$redis"' EXIT
until redis-cli -p "$port" ping >/dev/null 2>&1; do sleep 0.1; done
xargs -d '\n' -n 500 redis-cli -p "$port" lpush trial:start_urls <"$1" >/dev/null

cat >trial_spider.py <<PYTHON
from scrapy_redis.spiders import RedisSpider

class TrialSpider(RedisSpider):
    name = "trial"
    custom_settings = {"REDIS_URL": "redis://127.0.0.1:$port", "URLLENGTH_LIMIT": 0, "MAX_IDLE_TIME_BEFORE_CLOSE": 2}

    def parse(self, response):
        pass
PYTHON
scrapy runspider -L ERROR trial_spider.py
