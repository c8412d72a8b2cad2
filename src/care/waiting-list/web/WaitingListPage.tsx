import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Ellipsis, Hourglass, Pencil, Plus, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { client, messageOf, orpc } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { cn } from '../../../ui/cn.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Badge } from '../../../ui/display/Badge.tsx'
import { EmptyState } from '../../../ui/display/EmptyState.tsx'
import { Asked } from '../../../ui/display/Section.tsx'
import { Toolbar, ToolbarSelect } from '../../../ui/display/Toolbar.tsx'
import { formatCount, formatDateTime, formatShortDate, formatTime, today } from '../../../ui/format.ts'
import { TopbarTitle } from '../../../ui/layout/TopbarTitle.tsx'
import { DropdownMenu, MenuItem } from '../../../ui/overlays/DropdownMenu.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { useVisitTypes } from '../../availability/web/embed/useAvailability.ts'
import { NotForBilling } from '../../calendar/web/embed/NotForBilling.tsx'
import { providerName, useNames } from '../../calendar/web/embed/names.ts'
import { OfferDialog, EntryDialog } from './embed/dialogs.ts'
import type { WaitingListSearch } from './waiting-list-search.ts'
import { formatEntry, nameOf, openOffer, useLiveWaitingList, type EntryData } from './entry-data.ts'

/** The page /appointments/waiting-list: patients who wait for a visit, those who have waited longest first. */
export default function WaitingListPage(): ReactNode {
  const may = usePermission()
  return (
    <>
      <TopbarTitle
        title="Waiting list"
        section="Appointments"
        crumbs={[{ label: 'Appointments', link: { to: '/appointments' } }, { label: 'Waiting list' }]}
      />
      {may('waitingList.list') ? (
        <WaitingList />
      ) : (
        <NotForBilling what="waiting list">Administrators, sales, providers and the front desk book appointments.</NotForBilling>
      )}
    </>
  )
}

function WaitingList() {
  const { visit, provider } = useSearch({ from: '/staff/appointments/waiting-list' })
  const navigate = useNavigate({ from: '/appointments/waiting-list' })
  const clock = useClock()
  const names = useNames()
  const visitTypes = useVisitTypes().data ?? []
  const refresh = useLiveWaitingList()
  const [dialog, setDialog] = useState<{ kind: 'new' } | { kind: 'edit' | 'offer'; entry: EntryData } | null>(null)
  const list = useQuery(orpc.waitingList.list.queryOptions({ input: { visitTypeId: visit, providerId: provider } }))
  const set = (part: WaitingListSearch) => void navigate({ search: (before) => ({ ...before, ...part }) })

  async function remove({ id, contact }: EntryData) {
    try {
      await client.waitingList.remove({ id })
      toast.success(`${nameOf(contact)} is off the waiting list`)
    } catch (error) {
      toast.error(messageOf(error))
    }
    refresh()
  }
  const add = (
    <Button variant="filled" icon={<Plus />} onClick={() => setDialog({ kind: 'new' })}>
      Add to waiting list
    </Button>
  )
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <Toolbar label="Waiting list">
        <ToolbarSelect
          label="Visit"
          any="All visits"
          value={visit}
          onChange={(value) => set({ visit: value })}
          options={visitTypes.map(({ id, name }) => ({ value: id, label: name }))}
          className="w-48 max-md:min-w-0 max-md:flex-1 max-md:basis-2/5"
        />
        <ToolbarSelect
          label="Provider"
          any="All providers"
          value={provider}
          onChange={(value) => set({ provider: value })}
          options={names.providers.map(({ id, fullName }) => ({ value: id, label: fullName }))}
          className="w-48 max-md:min-w-0 max-md:flex-1 max-md:basis-2/5"
        />
        {list.data && (
          <span className="text-sm text-fg-3 tabular-nums">
            {formatCount(list.data.length)} {list.data.length === 1 ? 'patient' : 'patients'}
          </span>
        )}
        <div className="ml-auto">{add}</div>
      </Toolbar>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 md:px-6">
        <Asked query={list} failed="Couldn’t load the waiting list">
          {(entries) =>
            entries.length > 0 ? (
              <>
                <div
                  aria-hidden="true"
                  className={cn(
                    columns,
                    'sticky top-0 z-(--z-sticky) -mx-6 grid h-(--row-head) items-center border-b border-line bg-subtle px-6 text-xs font-medium text-fg-3 max-md:hidden',
                  )}
                >
                  <span>Patient</span>
                  <span>Waits for</span>
                  <span>Open now</span>
                </div>
                <ul aria-label="Waiting list">
                  {entries.map((entry) => (
                    <Row
                      key={entry.id}
                      entry={entry}
                      visit={visitTypes.find(({ id }) => id === entry.visitTypeId)?.name ?? ''}
                      provider={providerName(entry.providerId, names) ?? 'Anyone'}
                      now={today(clock)}
                      onOffer={() => setDialog({ kind: 'offer', entry })}
                      onEdit={() => setDialog({ kind: 'edit', entry })}
                      onRemove={() => void remove(entry)}
                    />
                  ))}
                </ul>
              </>
            ) : visit !== undefined || provider !== undefined ? (
              <EmptyState
                icon={<Hourglass />}
                title="No one waits for this"
                actions={<Button onClick={() => set({ visit: undefined, provider: undefined })}>Clear filters</Button>}
              />
            ) : (
              <EmptyState icon={<Hourglass />} title="No one is waiting">
                Add patients for whom no time suits. When one becomes free, those who fit get an offer by text or email, and the first to
                say yes is booked.
              </EmptyState>
            )
          }
        </Asked>
      </div>
      {dialog?.kind === 'new' && <EntryDialog entry={null} onClose={() => setDialog(null)} />}
      {dialog?.kind === 'edit' && <EntryDialog entry={dialog.entry} onClose={() => setDialog(null)} />}
      {dialog?.kind === 'offer' && <OfferDialog entry={dialog.entry} onClose={() => setDialog(null)} />}
    </div>
  )
}

const columns = 'gap-x-4 md:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)_16rem_8.5rem]'

interface RowProps {
  entry: EntryData
  visit: string
  provider: string
  /** Today, in the practice's time zone. */
  now: string
  onOffer: () => void
  onEdit: () => void
  onRemove: () => void
}

function Row({ entry, visit, provider, now, onOffer, onEdit, onRemove }: RowProps) {
  const clock = useClock()
  const may = usePermission()
  const offer = openOffer(entry)
  const last = entry.offers[0]
  const outcome = last && { accepted: null, open: null, declined: 'declined', expired: 'not answered', gone: 'taken' }[last.status]
  return (
    <li className={cn(columns, 'grid min-h-14 grid-cols-[minmax(0,1fr)_auto] items-center gap-y-1 border-b border-line py-2 text-sm')}>
      <span className="min-w-0">
        <Link to="/contacts/$id" params={{ id: entry.contact.id }} className="block truncate font-medium text-fg hover:underline">
          {nameOf(entry.contact)}
        </Link>
        <span className="block truncate text-xs text-fg-3">
          Waiting since {formatShortDate(entry.createdAt, clock)}
          {entry.createdBy === null && ' · joined online'}
        </span>
      </span>
      <span className="min-w-0 max-md:order-3 max-md:col-span-2">
        <span className="block truncate text-fg">
          {visit} · {provider}
        </span>
        <span className="block text-xs text-fg-2 md:truncate">{formatEntry(entry, now)}</span>
        {entry.note !== null && <span className="block text-xs text-fg-3 wrap-anywhere md:truncate">{entry.note}</span>}
      </span>
      <span className="min-w-0 max-md:order-4 max-md:col-span-2 max-md:empty:hidden">
        {offer ? (
          <>
            <Badge tone="info">Offered</Badge>
            <span className="block pt-0.5 text-xs text-fg-2">
              {formatDateTime(offer.startsAt, clock)}, answer by {formatTime(offer.expiresAt, clock.timeZone)}
            </span>
          </>
        ) : (
          <>
            {entry.openAt !== null && (
              <span className="relative block truncate text-xs text-fg-2">
                <span className="md:sr-only">Open now: </span>
                {formatDateTime(entry.openAt, clock)}
              </span>
            )}
            {outcome && (
              <span className="block text-xs text-fg-3">
                Last offer: {formatDateTime(last.startsAt, clock)}, {outcome}
              </span>
            )}
          </>
        )}
      </span>
      <span className="flex items-center justify-end gap-1 max-md:order-2">
        {may('waitingList.offer') && !offer && (
          <Button size="sm" onClick={onOffer}>
            Offer a time
          </Button>
        )}
        <DropdownMenu trigger={<IconButton label={`Actions: ${nameOf(entry.contact)}`} icon={<Ellipsis />} size="sm" />}>
          <MenuItem icon={<Pencil />} onSelect={onEdit}>
            Change
          </MenuItem>
          <MenuItem icon={<X />} onSelect={onRemove}>
            Take off the list
          </MenuItem>
        </DropdownMenu>
      </span>
    </li>
  )
}
