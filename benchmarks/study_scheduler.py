#!/usr/bin/env python3
"""Where rank 0 of verne-mpi saturates: a simulation of who waits for whom (docs/study.md).

  study_scheduler.py [SERVICE [LATENCY]]   seconds of rank 0 for a point, and of a message on its way

Rank 0 serves one answer after the other: it receives, writes the journal and sends the next point. A rank computes one
point after the other and has `ahead` of them at hand, as verne-mpi gives it: 20 ms of work, one point at least. Times of
points vary as those of predictions do (log-normal, deviation of the logarithm 0.5). Efficiency: the part of the time
that ranks compute, until the last point is handed out; after that they wait for the longest.
"""
import heapq
import random
import sys

kBusy, kMostAhead = 0.02, 256


def efficiency(ranks, seconds, service, latency, points_a_rank):
    generator = random.Random(1)
    ahead = min(max(1, round(kBusy / seconds)), kMostAhead)
    points = ranks * (points_a_rank + ahead)
    durations = [seconds * generator.lognormvariate(-0.125, 0.5) for _ in range(points)]
    spans, busy_until, answers, free = [], [0.0] * ranks, [], 0.0

    def hand_out(rank, now):
        begin = max(now + latency, busy_until[rank])
        busy_until[rank] = begin + durations[len(spans)]
        spans.append((begin, busy_until[rank]))
        heapq.heappush(answers, (busy_until[rank] + latency, rank))

    for _ in range(ahead):
        for rank in range(ranks):
            free += service
            hand_out(rank, free)
    while len(spans) < points:
        arrival, rank = heapq.heappop(answers)
        free = max(free, arrival) + service
        hand_out(rank, free)
    return sum(max(0.0, min(end, free) - begin) for begin, end in spans) / (ranks * free)


def main():
    service = float(sys.argv[1]) if len(sys.argv) > 1 else 25e-6
    latency = float(sys.argv[2]) if len(sys.argv) > 2 else 50e-6
    times = (0.001, 0.01, 0.1, 1, 10)
    print(f"rank 0 takes {1e6 * service:g} us a point, a message {1e6 * latency:g} us")
    print(f"{'ranks':>6} " + " ".join(f"{t:>6g} s" for t in times))
    for ranks in (10, 100, 1000, 10000):
        cells = [efficiency(ranks, t, service, latency, 40 if ranks < 10000 else 15) for t in times]
        print(f"{ranks:>6} " + " ".join(f"{100 * cell:>6.1f} %" for cell in cells))


if __name__ == "__main__":
    main()
