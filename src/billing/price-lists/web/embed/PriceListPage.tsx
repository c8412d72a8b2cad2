import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { messageOf, orpc, statusOf } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import type { Procedure } from '../../../../crm/procedures/contract.ts'
import type { PriceListData } from '../price-list-draft.ts'
import { PriceListForm } from '../PriceListForm.tsx'

/** /settings/procedures/{id}: the procedure's price list. */
export function PriceListPage({ id }: { id: string }) {
  const procedures = useQuery(orpc.procedures.list.queryOptions())
  const list = useQuery(orpc.procedures.priceList.queryOptions({ input: { id }, retry: (_, error) => statusOf(error) === 0 }))
  useLive(['vocabulary'], () => void list.refetch(), { debounceMs: 300 })
  const procedure = procedures.data?.find((one) => one.id === id)
  const error = list.error ?? procedures.error
  return (
    <div className="flex max-w-240 flex-col gap-2">
      <Link
        to="/settings/$section"
        params={{ section: 'procedures' }}
        className="-ml-1 inline-flex h-11 items-center gap-1 self-start rounded-md pr-2 text-sm text-fg-2 hover:text-fg"
      >
        <ChevronLeft aria-hidden="true" /> All procedures
      </Link>
      {procedure && list.data ? (
        <Shown procedure={procedure} list={list.data} />
      ) : error && (statusOf(error) === 404 || statusOf(error) === 422) ? (
        <EmptyState title="Procedure not found">It was deleted, or the address is wrong.</EmptyState>
      ) : error ? (
        <ErrorState title="Couldn’t load the price list" onRetry={() => void list.refetch()} retrying={list.isFetching}>
          {messageOf(error)}
        </ErrorState>
      ) : (
        <SkeletonRows rows={5} />
      )}
    </div>
  )
}

const Shown = ({ procedure, list }: { procedure: Procedure; list: PriceListData }) => (
  <section aria-labelledby="price-list">
    <h2 id="price-list" className="border-b border-line pb-3 text-lg font-semibold wrap-anywhere text-fg">
      Price list: {procedure.name}
    </h2>
    <p className="max-w-[60ch] pt-3 pb-2 text-sm text-fg-2">
      A quote for this procedure begins with these lines. Existing quotes do not change.
    </p>
    <PriceListForm key={procedure.id} procedure={procedure} list={list} />
  </section>
)
