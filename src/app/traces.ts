import { AsyncLocalStorage } from 'node:async_hooks'
import type { TracingChannel } from 'node:diagnostics_channel'
import { setTimeout as after } from 'node:timers/promises'
import { type Attributes, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import { vendorCalls } from '../integrations/calls.ts'
import { jobRuns } from '../kernel/jobs.ts'
import { statements } from '../kernel/postgres/database.ts'
import { describeStatement } from '../kernel/postgres/describe-statement.ts'
import { version } from '../kernel/version.ts'
import { requestRuns } from './observe-answer.ts'

export type Traces = {
  /** Sends the spans that have ended. */
  flush: () => Promise<void>
  stop: () => Promise<void>
}

/** What a span is called when it begins; null for work that gets none. `end`: what is known once it has ended. */
type Described<Event> = {
  begin: (event: Event, hasParent: boolean) => { name: string; kind: SpanKind; attributes: Attributes } | null
  end?: (event: Event) => { name?: string; attributes: Attributes; isFailed?: boolean }
}

/** Milliseconds that stopping waits for a collector that is away. */
const stopWithinMs = 2_000

/**
 * Sends spans of requests, statements, jobs and calls of other systems to a collector, by OTLP over HTTP. A span has names from our code
 * and numbers, and no path, value or message of an error.
 * @param endpoint without `/v1/traces` @param ratio the part of the requests and jobs that is traced, 0 to 1
 */
export function startTraces(endpoint: string, ratio: number): Traces {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'refyne', 'service.version': version.number, 'process.pid': process.pid }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('refyne', version.number)
  /** The span that the current work belongs to. */
  const current = new AsyncLocalStorage<Span | undefined>()

  function follow<Event extends object>(channel: TracingChannel<unknown, Event>, { begin, end }: Described<Event>): () => void {
    const spans = new WeakMap<Event, Span>()
    channel.start.bindStore(current, (event) => {
      const parent = current.getStore()
      const described = begin(event, parent !== undefined)
      if (!described) return parent
      const { name, ...options } = described
      const span = tracer.startSpan(name, options, parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT)
      spans.set(event, span)
      return span
    })
    const onEnd = (message: unknown) => {
      const event = message as Event & { error?: unknown }
      const span = spans.get(event)
      if (!span) return
      const ended = end?.(event)
      if (ended?.name) span.updateName(ended.name)
      if (ended) span.setAttributes(ended.attributes)
      if (event.error instanceof Error) span.setAttribute('error.type', event.error.name)
      if (ended?.isFailed || event.error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    }
    channel.asyncEnd.subscribe(onEnd)
    return () => {
      channel.start.unbindStore(current)
      channel.asyncEnd.unsubscribe(onEnd)
    }
  }

  const following = [
    follow(requestRuns, {
      begin: ({ method, requestId }) => ({
        name: method,
        kind: SpanKind.SERVER,
        attributes: { 'http.request.method': method, 'refyne.request_id': requestId },
      }),
      end: ({ method, route, status }) => ({
        name: `${method} ${route}`,
        attributes: { 'http.route': route, 'http.response.status_code': status },
        isFailed: status >= 500,
      }),
    }),
    follow(jobRuns, {
      begin: ({ job, requestId }) => ({
        name: job,
        kind: SpanKind.CONSUMER,
        attributes: { 'refyne.job': job, 'refyne.request_id': requestId },
      }),
    }),
    follow(vendorCalls, {
      begin: ({ vendor }) => ({ name: vendor, kind: SpanKind.CLIENT, attributes: { 'peer.service': vendor } }),
      end: ({ outcome }) => ({
        attributes: { 'refyne.outcome': outcome },
        isFailed: outcome !== 'ok' && outcome !== 'refused' && outcome !== 'cancelled',
      }),
    }),
    follow(statements, {
      // Statements outside of requests and jobs are the queue's own, several a second.
      begin({ text }, hasParent) {
        if (!hasParent) return null
        const { operation, table } = describeStatement(text)
        return {
          name: table ? `${operation} ${table}` : operation,
          kind: SpanKind.CLIENT,
          attributes: { 'db.system.name': 'postgresql', 'db.operation.name': operation, ...(table && { 'db.collection.name': table }) },
        }
      },
    }),
  ]

  return {
    flush: () => provider.forceFlush(),
    async stop() {
      for (const end of following) end()
      await Promise.race([provider.shutdown().catch(() => {}), after(stopWithinMs, undefined, { ref: false })])
    },
  }
}
