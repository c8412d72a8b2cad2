import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Images, Lock } from 'lucide-react'
import { useState } from 'react'
import { useDirectory } from '../../../crm/contacts/web/embed/useDirectory.ts'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { SearchInput } from '../../../ui/controls/SearchInput.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { EmptyState, ErrorState } from '../../../ui/display/EmptyState.tsx'
import { Skeleton } from '../../../ui/display/Skeleton.tsx'
import { TopbarTitle } from '../../../ui/layout/TopbarTitle.tsx'
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'
import { timePoints, views } from '../../photos/rules.ts'
import { ageBands } from '../rules.ts'
import type { GallerySearch } from './embed/gallery-search.ts'
import type { PairData } from './use-data.ts'

const PairView = lazyDialog(
  () => import('./PairView.tsx'),
  ({ onClose }) => onClose(),
)

/** Results before and after, of patients who agreed to the consult room, without names. */
export default function GalleryPage() {
  const isAllowed = usePermission()('consultGallery.list')
  return (
    <>
      <TopbarTitle title="Gallery" />
      {isAllowed ? (
        <Gallery />
      ) : (
        <EmptyState icon={<Lock />} title="Your role has no access to the gallery">
          Administrators, providers and sales have access. An administrator can change your role.
        </EmptyState>
      )}
    </>
  )
}

function Gallery() {
  const search = useSearch({ from: '/staff/gallery' })
  const navigate = useNavigate({ from: '/gallery' })
  const { procedures } = useDirectory()
  const [opened, setOpened] = useState<string | null>(null)
  const age = ageBands.find((band) => band === search.age)
  const query = useQuery(
    orpc.consultGallery.list.queryOptions({
      input: { procedureId: search.procedure, ageBand: age, technique: search.technique },
      placeholderData: keepPreviousData,
    }),
  )
  useLive(['gallery'], () => void query.refetch(), { debounceMs: 500 })
  const filter = (change: Partial<Record<keyof GallerySearch, string | undefined>>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const isFiltered = Object.keys(search).length > 0
  const pairs = query.data ?? []
  const cases = [...Map.groupBy(pairs, ({ caseId }) => caseId).values()]
  return (
    <div className="flex flex-col">
      <div className="sticky top-0 z-(--z-sticky) flex min-h-13 flex-wrap items-center gap-2 border-b border-line bg-surface px-4 py-2 md:px-6">
        <Select
          aria-label="Procedure"
          className="w-full md:h-(--control) md:w-56"
          value={search.procedure ?? null}
          noneLabel="All procedures"
          options={procedures.map(({ id, name }) => ({ value: id, label: name }))}
          onValueChange={(procedure) => filter({ procedure: procedure ?? undefined })}
        />
        <Select
          aria-label="Age"
          className="w-36 flex-1 md:h-(--control) md:flex-none"
          value={age ?? null}
          noneLabel="All ages"
          options={ageBands.map((value) => ({ value, label: value }))}
          onValueChange={(chosen) => filter({ age: chosen ?? undefined })}
        />
        <SearchInput
          label="Technique"
          placeholder="Search technique"
          className="flex-1 md:w-48 md:flex-none"
          value={search.technique ?? ''}
          onValueChange={(technique) => filter({ technique: technique === '' ? undefined : technique })}
        />
      </div>
      <div className="px-4 py-4 md:px-6">
        {query.error && !query.data ? (
          <ErrorState title="Couldn’t load the gallery" onRetry={() => void query.refetch()} retrying={query.isFetching}>
            {messageOf(query.error)}
          </ErrorState>
        ) : query.isPending ? (
          <div role="status" aria-label="Loading" className={grid}>
            {Array.from({ length: 4 }, (_, place) => (
              <Skeleton key={place} className="aspect-8/5 h-auto w-full rounded-md" />
            ))}
          </div>
        ) : cases.length === 0 ? (
          <EmptyState
            icon={<Images />}
            title={isFiltered ? 'No results with these filters' : 'No results yet'}
            actions={isFiltered && <Button onClick={() => void navigate({ search: {}, replace: true })}>Clear filters</Button>}
          >
            {isFiltered
              ? 'Choose other filters, or clear them.'
              : 'On the Photos tab of a patient who consented to it, select photos before and after and choose Use, Consult room.'}
          </EmptyState>
        ) : (
          <ul className={grid}>
            {cases.map((own) => (
              <CaseCard key={own[0]!.caseId} pairs={own} onOpen={() => setOpened(own[0]!.id)} />
            ))}
          </ul>
        )}
      </div>
      {opened !== null && pairs.some(({ id }) => id === opened) && (
        <PairView pairs={cases.flat()} shown={opened} onShow={setOpened} onClose={() => setOpened(null)} />
      )}
    </div>
  )
}

const grid = 'grid gap-x-6 gap-y-8 sm:grid-cols-[repeat(auto-fill,minmax(22rem,1fr))]'

function CaseCard({ pairs, onOpen }: { pairs: readonly PairData[]; onOpen: () => void }) {
  const [pair] = pairs
  if (!pair) return null
  const { procedure, technique, ageBand, view, before, after } = pair
  const title = procedure ?? 'Result'
  return (
    <li className="min-w-0">
      <button
        type="button"
        aria-label={`Open ${title}, ${views[view]}`}
        onPointerEnter={PairView.prepare}
        onClick={onOpen}
        className="grid w-full cursor-pointer grid-cols-2 gap-0.5 overflow-hidden rounded-md outline-offset-2"
      >
        {[before, after].map(({ image }) => (
          <img
            key={image}
            src={image}
            alt=""
            loading="lazy"
            decoding="async"
            draggable={false}
            className="aspect-4/5 w-full bg-hover object-cover"
          />
        ))}
      </button>
      <p className="pt-2 text-sm font-medium text-fg">{title}</p>
      <p className="text-xs text-fg-3">
        {[
          technique,
          ageBand && `Age ${ageBand}`,
          after.title ?? timePoints[after.timePoint],
          pairs.length > 1 ? `${pairs.length} views` : views[view],
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </li>
  )
}
