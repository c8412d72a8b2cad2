import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleSlash, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Person } from '../../../../platform/auth/people-contract.ts'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Fact, Facts, PanelSection } from '../../../../ui/display/Facts.tsx'
import type { Clock } from '../../../../ui/format.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { None } from '../../../../ui/display/Table.tsx'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import type { ConsentData } from '../consent-data.ts'
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

/** A patient's consent to commercial email: basis, expiry and history. */
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
          <Fact label="Marketing">
            <Skeleton className="w-2/3" />
          </Fact>
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
      {state && (count > 0 || state.live) && (
        <div className="-ml-2 flex flex-wrap gap-1 pt-1">
          {count > 0 && (
            <Button size="sm" variant="quiet" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
              {showsAll ? 'Hide history' : `Show history (${count})`}
            </Button>
          )}
          {state.live && may('consent.withdraw') && (
            <Button size="sm" variant="quiet" onClick={() => setDialog('withdraw')}>
              Withdraw
            </Button>
          )}
        </div>
      )}
      {state && showsAll && <EntryList entries={state.entries} clock={clock} people={people} />}
      {dialog === 'record' && state && (
        <RecordDialog contactId={contactId} unsubscribed={state.unsubscribed} onClose={() => setDialog(null)} />
      )}
      {dialog === 'withdraw' && <WithdrawDialog contactId={contactId} onClose={() => setDialog(null)} />}
    </PanelSection>
  )
}

function CurrentConsent({ state: { live, unsubscribed }, clock }: { state: ConsentData; clock: Clock }) {
  return (
    <>
      <Fact label="Marketing">
        {live ? (
          <span className="inline-flex gap-1.5">
            <CircleCheck aria-hidden="true" className="mt-0.5 text-success" />
            <span>
              {basisLabels[live.basis]}
              <span className="block text-xs text-fg-3">
                {live.expiresAt === null ? 'No expiry' : `Until ${lastDayOf(live.expiresAt, clock)}`}
              </span>
            </span>
          </span>
        ) : (
          <None>No commercial email</None>
        )}
      </Fact>
      {unsubscribed.length > 0 && (
        <Fact label="Unsubscribed">
          {unsubscribed.map((address) => (
            <span key={address} className="flex gap-1.5 wrap-anywhere">
              <CircleSlash aria-hidden="true" className="mt-0.5 text-danger" />
              {address}
            </span>
          ))}
        </Fact>
      )}
    </>
  )
}
