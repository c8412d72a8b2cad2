import type { LoadRequest } from './protocol.ts'
import type { Side, Sides } from './pair.ts'

type Answer = {
  id?: string
  data?: { id?: string; latest_message?: { id: string } }[]
  count?: number
  total?: number
  leads?: { total: number }
  stages?: { id: string; count: number }[]
  activity?: { id: string }[]
  figures?: Record<string, unknown>
  overdue?: { total: number; data: { id: string }[] }
  columns?: { stageId: string; total: number; data: { id: string }[] }[]
}

/** Checks that both sides return the same results: a baseline that does different work would prove nothing. */
export async function assertSameResponses({ ours, bare }: Sides, requests: LoadRequest[]): Promise<void> {
  for (const { path } of requests) {
    const [one, other] = await Promise.all([ours, bare].map((side) => toResult(side, path)))
    if (one !== other) throw new Error(`${path}: the server and the baseline respond differently:\n  ${one}\n  ${other}`)
  }
}

async function toResult({ url, headers }: Side, path: string): Promise<string> {
  const response = await fetch(url + path, { headers })
  if (!response.ok) throw new Error(`${url}${path} answered ${response.status}: ${await response.text()}`)
  const answer = (await response.json()) as Answer | { id: string; photos?: { id: string }[] }[]
  if (Array.isArray(answer)) return JSON.stringify(answer.map(({ id, photos = [] }) => [id, ...photos.map((photo) => photo.id)]))
  const { figures, id, data, total, count, columns, leads, stages, activity, overdue } = answer
  if (figures) return JSON.stringify(figures)
  if (leads && stages && activity && overdue) {
    const ids = (rows: { id: string }[]) => rows.map((row) => row.id)
    return JSON.stringify([leads.total, stages.map((stage) => [stage.id, stage.count]), ids(activity), overdue.total, ids(overdue.data)])
  }
  if (columns) return JSON.stringify(columns.map((column) => [column.stageId, column.total, column.data.map((card) => card.id)]))
  return JSON.stringify(data ? { total, ids: data.map((row) => row.latest_message?.id ?? row.id) } : { id, count })
}
