import type { QueryClient } from '@tanstack/react-query'
import { orpc } from '../../../../../ui/client/api.ts'
import { type Clock, formatCount, formatShortDate } from '../../../../../ui/format.ts'
import { byId } from '../../embed/directory.ts'
import type { AnyBulkChange, WantedChange } from './useBulkChange.ts'

export const patients = (count: number): string => `${formatCount(count)} ${count === 1 ? 'patient' : 'patients'}`

/** The title and button label of the confirmation: 'Tag 2,501 patients'. */
export function actionOf(change: WantedChange, who: string): string {
  switch (change.kind) {
    case 'stage':
      return `Move ${who}`
    case 'tag':
      return change.on ? `Tag ${who}` : `Remove tag from ${who}`
    case 'owner':
    case 'provider':
      return change.personId ? `Assign ${who}` : `Unassign ${who}`
    case 'followUp':
      return change.date ? `Set follow-up of ${who}` : `Clear follow-up of ${who}`
    case 'delete':
      return `Delete ${who}`
  }
}

const rarely = { staleTime: 10 * 60_000 }

/** The result of a change: 'moved to Contacted'. Falls back to a generic name if names can't be loaded. */
export async function formatDone(cache: QueryClient, change: AnyBulkChange, clock: Clock): Promise<string> {
  switch (change.kind) {
    case 'stage':
      return `moved to ${byId(await known(cache.fetchQuery(orpc.pipeline.stages.queryOptions(rarely))), change.stageId)?.name ?? 'another stage'}`
    case 'tag': {
      const name = byId(await known(cache.fetchQuery(orpc.tags.list.queryOptions(rarely))), change.tagId)?.name ?? ''
      return `${change.on ? 'tagged' : 'no longer tagged'} ${name}`.trim()
    }
    case 'owner':
    case 'provider': {
      if (change.personId === null) return change.kind === 'owner' ? 'now without an owner' : 'now without a provider'
      const people = await known(cache.fetchQuery(orpc.people.list.queryOptions(rarely)))
      return `assigned to ${byId(people, change.personId)?.fullName ?? 'a colleague'}`
    }
    case 'followUp':
      return change.date ? `set to follow up ${formatShortDate(change.date, clock)}` : 'now without a follow-up'
    case 'source':
      return `moved to ${byId(await known(cache.fetchQuery(orpc.leadSources.list.queryOptions(rarely))), change.to)?.name ?? 'another source'}`
    case 'procedure':
      return `moved to ${byId(await known(cache.fetchQuery(orpc.procedures.list.queryOptions(rarely))), change.to)?.name ?? 'another procedure'}`
    case 'delete':
      return change.forGood ? 'deleted permanently' : 'deleted'
  }
}

const known = <Row>(asked: Promise<Row[]>): Promise<Row[]> => asked.catch(() => [])
