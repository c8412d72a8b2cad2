import { useQuery, useQueryClient } from '@tanstack/react-query'
import { messageOf, orpc } from '../../../../web/api.ts'
import { ErrorState } from '../../../../web/ui/EmptyState.tsx'
import { Skeleton } from '../../../../web/ui/Skeleton.tsx'
import { PracticeForm } from '../PracticeForm.tsx'
import { LogoField } from '../LogoField.tsx'
import { useLivePractice } from './usePractice.ts'

/** What the practice is called and how it is reached, wherever that stands: pages, mails, papers. */
export function PracticeCard() {
  const cache = useQueryClient()
  const settings = useQuery(orpc.practice.settings.queryOptions({ staleTime: 0 }))
  useLivePractice()
  return (
    <section aria-labelledby="practice" className="max-w-(--measure)">
      <h2 id="practice" className="border-b border-line pb-3 text-lg font-semibold text-fg">
        Practice
      </h2>
      {settings.data ? (
        <div className="flex flex-col gap-6 pt-4">
          <LogoField logo={settings.data.logo} onChanged={() => void cache.invalidateQueries({ queryKey: orpc.practice.settings.key() })} />
          <PracticeForm settings={settings.data} />
        </div>
      ) : settings.error ? (
        <ErrorState title="The practice did not load" onRetry={() => void settings.refetch()} retrying={settings.isFetching}>
          {messageOf(settings.error)}
        </ErrorState>
      ) : (
        <div role="status" aria-label="Loading" className="flex min-h-96 flex-col gap-4 py-5">
          <Skeleton className="w-40" />
          <Skeleton className="w-72 max-w-full" />
          <Skeleton className="w-56" />
        </div>
      )}
    </section>
  )
}
