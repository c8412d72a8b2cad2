import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleSlash, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Person } from '../../../../platform/auth/people-contract.ts'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Fact, Facts, PanelSection } from '../../../../ui/display/Facts.tsx'
import { type Clock, formatPhone } from '../../../../ui/format.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { None } from '../../../../ui/display/Table.tsx'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { type ConsentChannel, consentChannels } from '../../rules.ts'
import type { ConsentData, EntryData } from '../consent-data.ts'
import { lastDayOf } from '../expiry.ts'
import { EntryList } from '../EntryList.tsx'
import { basisLabels } from '../labels.ts'

const RecordDialog = lazyDialog(
  () => import('../RecordDialog.tsx'),
  ({ onClose }) => onClose(),
)
const WithdrawDialog = lazyDialog(
  () => import('../WithdrawDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface ConsentPanelProps {
  contactId: string
  clock: Clock
  people: readonly Person[]
  /** The inline field for the consent flag on the record. */
  children: ReactNode
}

/** A patient's consent to marketing by email and by text: basis, expiry and history. */
export function ConsentPanel({ contactId, clock, people, children }: ConsentPanelProps) {
  const cache = useQueryClient()
  const may = usePermission()
  const consent = useQuery(orpc.consent.get.queryOptions({ input: { id: contactId } }))
  const [dialog, setDialog] = useState<'record' | 'withdraw' | null>(null)
  const [showsAll, setShowsAll] = useState(false)
  useLive(['contact'], (ids) => {
    if (ids === null || ids.has(contactId)) void cache.invalidateQueries({ queryKey: orpc.consent.key() })
  })
  const state = consent.data
  const count = state?.entries.length ?? 0
  const live = consentChannels.filter((channel) => state && liveOf(state, channel))
  return (
    <PanelSection
      title="Consent"
      action={may('consent.record') && <IconButton label="Record consent" icon={<Plus />} size="sm" onClick={() => setDialog('record')} />}
    >
      <Facts>
        {children}
        {state ? (
          <CurrentConsent state={state} clock={clock} />
        ) : consent.error ? null : (
          <>
            <Fact label="Marketing emails">
              <Skeleton className="w-2/3" />
            </Fact>
            <Fact label="Marketing texts">
              <Skeleton className="w-1/2" />
            </Fact>
          </>
        )}
      </Facts>
      {consent.error && !state && (
        <p role="alert" className="pt-1.5 text-sm text-danger-fg">
          Couldn’t load consent.{' '}
          <Button size="sm" variant="quiet" onClick={() => void consent.refetch()}>
            Try again
          </Button>
        </p>
      )}
      {state && (count > 0 || live.length > 0) && (
        <div className="-ml-2 flex flex-wrap gap-1 pt-1">
          {count > 0 && (
            <Button size="sm" variant="quiet" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
              {showsAll ? 'Hide history' : `Show history (${count})`}
            </Button>
          )}
          {live.length > 0 && may('consent.withdraw') && (
            <Button size="sm" variant="quiet" onClick={() => setDialog('withdraw')}>
              Withdraw
            </Button>
          )}
        </div>
      )}
      {state && showsAll && <EntryList entries={state.entries} clock={clock} people={people} />}
      {dialog === 'record' && state && <RecordDialog contactId={contactId} state={state} onClose={() => setDialog(null)} />}
      {dialog === 'withdraw' && <WithdrawDialog contactId={contactId} live={live} onClose={() => setDialog(null)} />}
    </PanelSection>
  )
}

const liveOf = ({ live, text }: ConsentData, channel: ConsentChannel) => (channel === 'text' ? text.live : live)

function CurrentConsent({ state, clock }: { state: ConsentData; clock: Clock }) {
  const { unsubscribed, text } = state
  const reopened = text.unsubscribed.filter((phone) => !text.stopped.includes(phone))
  return (
    <>
      <Fact label="Marketing emails">
        <Basis entry={state.live} none="No consent" clock={clock} />
      </Fact>
      {unsubscribed.length > 0 && <Ended label="Unsubscribed" addresses={unsubscribed} />}
      <Fact label="Marketing texts">
        <Basis entry={text.live} none="No consent" clock={clock} />
      </Fact>
      {text.stopped.length > 0 && <Ended label="Answered STOP" addresses={text.stopped.map(formatPhone)} />}
      {reopened.length > 0 && <Ended label="Unsubscribed" addresses={reopened.map(formatPhone)} />}
    </>
  )
}

/** What marketing by a channel rests on. */
function Basis({ entry, none, clock }: { entry: EntryData | null; none: string; clock: Clock }) {
  if (!entry) return <None>{none}</None>
  return (
    <span className="inline-flex gap-1.5">
      <CircleCheck aria-hidden="true" className="mt-0.5 text-success" />
      <span>
        {basisLabels[entry.basis]}
        <span className="block text-xs text-fg-3">
          {entry.expiresAt === null ? 'No expiry' : `Until ${lastDayOf(entry.expiresAt, clock)}`}
        </span>
      </span>
    </span>
  )
}

function Ended({ label, addresses }: { label: string; addresses: readonly string[] }) {
  return (
    <Fact label={label}>
      {addresses.map((address) => (
        <span key={address} className="flex gap-1.5 wrap-anywhere">
          <CircleSlash aria-hidden="true" className="mt-0.5 text-danger" />
          {address}
        </span>
      ))}
    </Fact>
  )
}
