import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Procedure } from '../../../crm/procedures/contract.ts'
import { client, codeOf, orpc } from '../../../ui/client/api.ts'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { draftOf, type PriceListData, problemsOf, wanted } from './price-list-draft.ts'

/** State of a price list's form, and how it continues from what someone else saved. */
export function usePriceListForm(procedure: Procedure, list: PriceListData) {
  const cache = useQueryClient()
  const key = orpc.procedures.priceList.queryKey({ input: { id: procedure.id } })
  const [version, setVersion] = useState(list.version)
  const form = useActionForm({
    initial: () => ({ prices: draftOf(list, procedure) }),
    check: ({ prices }) => problemsOf(prices),
    async send({ prices }) {
      const saved = await client.procedures.setPriceList({ id: procedure.id, version, prices: wanted(prices) })
      cache.setQueryData(key, saved)
      return saved
    },
    done: `Price list of ${procedure.name} saved`,
    onDone(saved) {
      resolveConflict(saved, 'theirs')
      for (const call of [orpc.procedures.list, orpc.quotes.choices]) void cache.invalidateQueries({ queryKey: call.key() })
    },
    async theirs(error): Promise<PriceListData | null> {
      await cache.invalidateQueries({ queryKey: orpc.procedures.priceList.key() })
      return codeOf(error) === 'CHANGED_MEANWHILE' ? (cache.getQueryData(key) ?? null) : null
    },
  })
  /** Continues from this saved list: with the prices that are typed here, or with its own. */
  function resolveConflict(saved: PriceListData, keep: 'mine' | 'theirs') {
    setVersion(saved.version)
    form.rebase({ prices: draftOf(saved, procedure) }, keep === 'mine' ? ['prices'] : [])
  }
  return { form, resolveConflict }
}
