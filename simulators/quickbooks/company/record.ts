/** Metadata of seeded records, which date from before the simulator's start. */
import { quickBooksTime, type Entity } from '../entity.ts'

const opened = Date.UTC(2024, 0, 15, 16)

/** @param id also the number of minutes between the company's opening and the record's creation. */
export function record(id: number, fields: Record<string, unknown>): Entity {
  const time = quickBooksTime(opened + id * 60_000)
  return { ...fields, domain: 'QBO', sparse: false, Id: String(id), SyncToken: '0', MetaData: { CreateTime: time, LastUpdatedTime: time } }
}
