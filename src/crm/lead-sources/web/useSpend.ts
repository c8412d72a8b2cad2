import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { centsToText } from '../../../shared/money.ts'
import { type Client, client, codeOf, messageOf, orpc } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'
import { formatMoney } from '../../../ui/format.ts'
import { monthsOfYear, readAmount, readPasted } from './spend-entry.ts'

export type SpendOfSource = Awaited<ReturnType<Client['leadSources']['spend']>>[number]

/** What is typed in a field and not saved yet. `before`: the saved amount that it replaces. */
interface Draft {
  text: string
  before: number | null
  problem?: string
}

export const spendIn = ({ months }: SpendOfSource, month: string): number | null => months.find((one) => one.month === month)?.cents ?? null

const keyOf = (source: SpendOfSource, month: string) => `${source.id} ${month}`

/** The amounts of a year, and the fields in which they are changed. What could not be saved stays in its field, with the reason. */
export function useSpend(year: number) {
  const cache = useQueryClient()
  const asked = orpc.leadSources.spend.queryOptions({ input: { year } })
  const query = useQuery(asked)
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map())
  const [pending, setPending] = useState(0)
  const refresh = () => cache.invalidateQueries({ queryKey: orpc.leadSources.spend.key() })
  useLive(['vocabulary'], () => void refresh(), { debounceMs: 300 })

  const setDraft = (key: string, draft: Draft | null) =>
    setDrafts((all) => {
      const next = new Map(all)
      if (draft) next.set(key, draft)
      else next.delete(key)
      return next
    })

  async function save(source: SpendOfSource, changes: { month: string; cents: number | null; before: number | null }[]): Promise<void> {
    setPending((count) => count + 1)
    try {
      const saved = await client.leadSources.setSpend({ id: source.id, months: changes })
      const isChanged = new Set(changes.map(({ month }) => month))
      cache.setQueryData(asked.queryKey, (sources) =>
        sources?.map((one) =>
          one.id === source.id
            ? {
                ...one,
                months: [...one.months.filter(({ month }) => !isChanged.has(month)), ...saved].toSorted((a, b) =>
                  a.month < b.month ? -1 : 1,
                ),
              }
            : one,
        ),
      )
      for (const { month } of changes) setDraft(keyOf(source, month), null)
      void cache.invalidateQueries({ queryKey: orpc.reports.run.key() })
    } catch (error) {
      const isConflict = codeOf(error) === 'CHANGED_MEANWHILE'
      if (isConflict) await refresh()
      const current = cache.getQueryData(asked.queryKey)?.find(({ id }) => id === source.id) ?? source
      for (const { month, cents, before } of changes) {
        const now = spendIn(current, month)
        const problem = isConflict
          ? now === before
            ? 'Not saved, because another month was changed by someone else. Press Enter to save it.'
            : `Someone else ${now === null ? 'cleared this' : `entered ${formatMoney(now)}`} at the same time. Press Enter to replace it.`
          : `Not saved. ${messageOf(error)}`
        setDraft(keyOf(source, month), { text: centsToText(cents), before: isConflict ? now : before, problem })
      }
    }
    setPending((count) => count - 1)
  }

  /** Shows what is typed; keeps the saved amount that the user saw at the first keystroke. */
  const type = (source: SpendOfSource, month: string, text: string) => {
    const key = keyOf(source, month)
    const draft = drafts.get(key)
    setDraft(key, { text, before: draft ? draft.before : spendIn(source, month) })
  }

  /** Saves a field that was changed. `isAsked`: by Enter, which also repeats what failed. */
  const commit = (source: SpendOfSource, month: string, isAsked: boolean) => {
    const key = keyOf(source, month)
    const draft = drafts.get(key)
    if (!draft || (draft.problem && !isAsked)) return
    const read = readAmount(draft.text)
    if ('problem' in read) setDraft(key, { ...draft, problem: read.problem })
    else if (read.cents === spendIn(source, month)) setDraft(key, null)
    else void save(source, [{ month, cents: read.cents, before: draft.before }])
  }

  /** Fills months with a pasted row or column. False: it is a single cell. */
  const paste = (source: SpendOfSource, month: string, text: string): boolean => {
    const months = monthsOfYear(year)
    const left = months.slice(months.indexOf(month))
    const pasted = readPasted(text, left.length)
    if (!pasted) return false
    const before = (of: string) => spendIn(source, of)
    if ('problem' in pasted) {
      const key = keyOf(source, month)
      setDraft(key, { text: drafts.get(key)?.text ?? centsToText(before(month)), before: before(month), problem: pasted.problem })
    } else
      void save(
        source,
        pasted.amounts.map((cents, index) => ({ month: left[index]!, cents, before: before(left[index]!) })),
      )
    return true
  }

  return {
    query,
    isSaving: pending > 0,
    textIn: (source: SpendOfSource, month: string) => drafts.get(keyOf(source, month))?.text ?? centsToText(spendIn(source, month)),
    problemIn: (source: SpendOfSource, month: string) => drafts.get(keyOf(source, month))?.problem,
    type,
    commit,
    paste,
    revert: (source: SpendOfSource, month: string) => setDraft(keyOf(source, month), null),
  }
}

export type Spend = ReturnType<typeof useSpend>
