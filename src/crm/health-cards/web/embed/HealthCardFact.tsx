import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { client, messageOf } from '../../../../ui/client/api.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Fact } from '../../../../ui/display/Facts.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { None } from '../../../../ui/display/Table.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { formatNumber, maskNumber, provinces } from '../../rules.ts'
import { type HealthCardData, useHealthCard } from './useHealthCard.ts'

const HealthCardDialog = lazyDialog(
  () => import('../HealthCardDialog.tsx'),
  ({ onClose }) => onClose(),
)
const RemoveDialog = lazyDialog(
  () => import('../RemoveDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** A row of the panel with the patient's health card; nothing for roles that may not see it. */
export function HealthCardFact({ contactId }: { contactId: string }) {
  const { isAllowed, query, card } = useHealthCard(contactId)
  const mayChange = usePermission()('healthCards.set')
  const [dialog, setDialog] = useState<'edit' | 'remove' | null>(null)
  if (!isAllowed) return null
  const close = () => setDialog(null)
  return (
    <>
      <Fact label="Health card">
        {query.isPending ? (
          <Skeleton className="w-2/3" />
        ) : query.error && !query.data ? (
          <span role="alert" className="text-danger-fg">
            Couldn’t load the health card.{' '}
            <Button size="sm" variant="quiet" onClick={() => void query.refetch()}>
              Try again
            </Button>
          </span>
        ) : card ? (
          <CardNumber key={card.version} contactId={contactId} card={card}>
            {mayChange && (
              <>
                <Button size="sm" variant="quiet" aria-label="Edit health card" onClick={() => setDialog('edit')}>
                  Edit
                </Button>
                <Button size="sm" variant="quiet" aria-label="Remove health card" onClick={() => setDialog('remove')}>
                  Remove
                </Button>
              </>
            )}
          </CardNumber>
        ) : mayChange ? (
          <Button size="sm" variant="quiet" className="-my-1 -ml-2.5" aria-label="Add health card" onClick={() => setDialog('edit')}>
            Add
          </Button>
        ) : (
          <None />
        )}
      </Fact>
      {dialog === 'edit' && query.data && <HealthCardDialog contactId={contactId} card={card} onClose={close} />}
      {dialog === 'remove' && card && <RemoveDialog contactId={contactId} card={card} onClose={close} />}
    </>
  )
}

/** How long the whole number is shown. */
const shownMs = 30_000

interface CardNumberProps {
  contactId: string
  card: HealthCardData
  /** Further actions. */
  children: ReactNode
}

/** The last four digits; the whole number on request, until time is up or the window is left. */
function CardNumber({ contactId, card, children }: CardNumberProps) {
  const [number, setNumber] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const hide = useCallback(() => setNumber(null), [])
  useEffect(() => {
    if (number === null) return
    const timer = setTimeout(hide, shownMs)
    document.addEventListener('visibilitychange', hide)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', hide)
    }
  }, [number, hide])

  async function show() {
    setBusy(true)
    try {
      setNumber((await client.healthCards.number({ contactId })).number)
    } catch (error) {
      toast.error('Couldn’t show the number', messageOf(error))
    } finally {
      setBusy(false)
    }
  }

  const { province, versionCode, lastDigits } = card
  return (
    <>
      <span aria-live="polite" className="block tabular-nums">
        {number === null ? (
          <>
            <span className="sr-only">Ending in {lastDigits}</span>
            <span aria-hidden="true">{maskNumber(lastDigits)}</span>
          </>
        ) : (
          formatNumber({ number, province, versionCode })
        )}
      </span>
      <span className="block text-xs text-fg-3">
        {provinces[province]}
        {versionCode !== null && `, version ${versionCode}`}
      </span>
      <span className="-ml-2.5 flex flex-wrap">
        <Button
          size="sm"
          variant="quiet"
          aria-label={`${number === null ? 'Show' : 'Hide'} health card number`}
          busy={isBusy}
          onClick={() => (number === null ? void show() : hide())}
        >
          {number === null ? 'Show' : 'Hide'}
        </Button>
        {children}
      </span>
    </>
  )
}
