import { useQuery, useQueryClient } from '@tanstack/react-query'
import { TabletSmartphone } from 'lucide-react'
import { useState } from 'react'
import type { ContactData } from '../../../../crm/contacts/web/embed/contact-data.ts'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { formatTime } from '../../../../ui/format.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { tabletState } from '../../rules.ts'

const UseTabletDialog = lazyDialog(
  () => import('../UseTabletDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** Gives the patient a tablet. */
export function UseTablet({ patient }: { patient: ContactData }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={<TabletSmartphone />} onPointerEnter={UseTabletDialog.prepare} onClick={() => setOpen(true)}>
        Use tablet
      </Button>
      {isOpen && <UseTabletDialog patient={patient} onClose={() => setOpen(false)} />}
    </>
  )
}

/** The tablet that the patient has now, with what is done; nothing without one. */
export function TabletState({ contactId }: { contactId: string }) {
  const clock = useClock()
  const may = usePermission()
  const cache = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const query = useQuery(orpc.tablet.ofContact.queryOptions({ input: { contactId } }))
  useLive(['tablet', 'form'], () => void query.refetch(), { debounceMs: 300 })
  const session = query.data?.session
  const state = session && tabletState(session, Math.max(new Date(clock.now).getTime(), query.dataUpdatedAt))
  if (!session || (state !== 'in_use' && state !== 'waiting')) return null
  const done = session.items.filter((item) => item.state === 'done').length

  async function end() {
    setBusy(true)
    try {
      await client.tablet.end({ id: session!.id })
      toast.success('Tablet signed out')
    } catch (error) {
      toast.error('The tablet was not signed out', messageOf(error))
    }
    await cache.invalidateQueries({ queryKey: orpc.tablet.ofContact.key() })
    setBusy(false)
  }
  return (
    <Alert
      tone="info"
      title={state === 'waiting' ? 'A tablet is waiting for its code.' : 'The patient has a tablet.'}
      className="my-2"
      action={
        may('tablet.end') && (
          <Button size="sm" busy={isBusy} busyLabel="Ending…" onClick={() => void end()}>
            End session
          </Button>
        )
      }
    >
      {state === 'in_use' && `Since ${formatTime(session.pairedAt!, clock.timeZone)}, ${done} of ${session.items.length} done.`}
    </Alert>
  )
}
