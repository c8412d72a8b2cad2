/** How the seed's records are stamped: they were there before the simulator started. */
import { quickBooksTime, type Entity } from '../entity.ts'

const opened = Date.UTC(2024, 0, 15, 16)

/** @param id also says how many minutes after the company's opening the record was made. */
export function record(id: number, fields: Record<string, unknown>): Entity {
  const time = quickBooksTime(opened + id * 60_000)
  return { ...fields, domain: 'QBO', sparse: false, Id: String(id), SyncToken: '0', MetaData: { CreateTime: time, LastUpdatedTime: time } }
}
