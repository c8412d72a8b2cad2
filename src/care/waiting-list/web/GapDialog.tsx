import { useState } from 'react'
import { client, messageOf } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Badge } from '../../../ui/display/Badge.tsx'
import { formatDateTime, formatShortDate, formatTime } from '../../../ui/format.ts'
import { Dialog, DialogBody, DialogFooter } from '../../../ui/overlays/Dialog.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { useVisitTypes } from '../../availability/web/embed/useAvailability.ts'
import { providerName, useNames } from '../../calendar/web/embed/names.ts'
import { formatTimes } from '../../calendar/web/embed/times.ts'
import { type GapData, nameOf, useLiveWaitingList } from './entry-data.ts'

/** Who on the waiting list fits a gap, in the order in which they have waited, and offers it. */
export default function GapDialog({ gap, onClose }: { gap: GapData; onClose: () => void }) {
  const clock = useClock()
  const names = useNames()
  const may = usePermission()
  const visitTypes = useVisitTypes().data ?? []
  const refresh = useLiveWaitingList()
  const [busy, setBusy] = useState<string | null>(null)
  const [offered, setOffered] = useState<readonly string[]>([])

  async function offer({ entryId, contact, startsAt }: GapData['fitting'][number]) {
    setBusy(entryId)
    try {
      await client.waitingList.offer({ id: entryId, providerId: gap.providerId, startsAt })
      setOffered((before) => [...before, entryId])
      toast.success(`${formatDateTime(startsAt, clock)} is offered to ${nameOf(contact)}`)
    } catch (error) {
      toast.error(messageOf(error))
    }
    setBusy(null)
    refresh()
  }

  return (
    <Dialog
      title={`${formatTimes(gap.startsAt, gap.endsAt, clock.timeZone)} with ${providerName(gap.providerId, names) ?? 'anyone'}`}
      description="Patients on the waiting list who fit. The first to say yes gets the time."
      onClose={onClose}
    >
      <DialogBody>
        <ul aria-label="Patients who fit" className="-my-2">
          {gap.fitting.map((one) => (
            <li key={one.entryId} className="flex min-h-14 items-center gap-3 border-b border-line py-2 last:border-b-0">
              <span className="min-w-0 flex-1">
                <span className="block truncate text-sm font-medium text-fg">{nameOf(one.contact)}</span>
                <span className="block truncate text-xs text-fg-3 tabular-nums">
                  {visitTypes.find(({ id }) => id === one.visitTypeId)?.name} · {formatTime(one.startsAt, clock.timeZone)} · waiting since{' '}
                  {formatShortDate(one.createdAt, clock)}
                </span>
              </span>
              {one.isOffered || offered.includes(one.entryId) ? (
                <Badge tone="info">Offered</Badge>
              ) : (
                may('waitingList.offer') && (
                  <Button
                    size="sm"
                    busy={busy === one.entryId}
                    busyLabel="Sending…"
                    disabled={busy !== null}
                    aria-label={`Offer ${formatTime(one.startsAt, clock.timeZone)} to ${nameOf(one.contact)}`}
                    onClick={() => void offer(one)}
                  >
                    Offer
                  </Button>
                )
              )}
            </li>
          ))}
        </ul>
      </DialogBody>
      <DialogFooter>
        <Button size="lg" onClick={onClose}>
          Close
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
