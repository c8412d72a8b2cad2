import { useQuery } from '@tanstack/react-query'
import { instantOf, toLocal } from '../../../shared/zoned-time.ts'
import { client, orpc } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { Alert } from '../../../ui/display/Alert.tsx'
import { Skeleton } from '../../../ui/display/Skeleton.tsx'
import { formatDateTime, today } from '../../../ui/format.ts'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { OpeningsPanel } from '../../appointments/web/embed/OpeningsPanel.tsx'
import { useVisitTypes } from '../../availability/web/embed/useAvailability.ts'
import { formatEntry, nameOf, useLiveWaitingList, type EntryData } from './entry-data.ts'

/** Offers a free time to a patient who waits, by text or email. Times that do not suit the patient may be offered too. */
export default function OfferDialog({ entry, onClose }: { entry: EntryData; onClose: () => void }) {
  const clock = useClock()
  const refresh = useLiveWaitingList()
  const visitType = useVisitTypes().data?.find(({ id }) => id === entry.visitTypeId)
  const now = today(clock)
  const { visitTypeId, providerId } = entry
  const first = useQuery(
    orpc.appointments.openings.queryOptions({
      input: {
        from: entry.fromDay > now ? entry.fromDay : now,
        days: 14,
        minutes: visitType?.minutes ?? 0,
        visitTypeId,
        ...(providerId && { providerId }),
      },
      enabled: visitType !== undefined,
    }),
  )
  const suggested = first.data?.days.find(({ times }) => times.length > 0)?.day ?? (entry.fromDay > now ? entry.fromDay : now)
  const form = useActionForm({
    // The first free time that suits the patient, if there is one.
    initial: entry.openAt === null ? { day: '', time: '' } : toLocal(new Date(entry.openAt), clock.timeZone),
    check: ({ time }) => ({ form: time === '' ? 'Choose a time' : undefined }),
    send: ({ day, time }) =>
      client.waitingList.offer({ id: entry.id, providerId, startsAt: instantOf({ day, time }, clock.timeZone).toISOString() }),
    done: ({ offers }) => `${formatDateTime(offers[0]!.startsAt, clock)} is offered to ${nameOf(entry.contact)}`,
    onDone() {
      refresh()
      onClose()
    },
  })
  const { day, time } = form.values
  const shown = day === '' ? suggested : day
  return (
    <ActionDialog
      title="Offer a time"
      description={`${nameOf(entry.contact)} · ${visitType?.name ?? ''} · ${formatEntry(entry, now)}`}
      size="md"
      form={form}
      action={{
        label: time === '' ? 'Send offer' : `Offer ${formatDateTime(instantOf({ day, time }, clock.timeZone), clock)}`,
        busyLabel: 'Sending…',
        isUnready: !visitType?.isActive,
      }}
      onClose={onClose}
    >
      {visitType && !visitType.isActive && (
        <Alert tone="warning">This visit is no longer offered. Change the entry, or take it off the list.</Alert>
      )}
      {!visitType || first.isLoading ? (
        <Skeleton className="w-2/3" />
      ) : (
        <OpeningsPanel
          slot={{ day: shown, time, minutes: visitType.minutes, providerId, roomId: null, except: null }}
          visitType={visitType.isActive ? visitType : null}
          secondPersonId={null}
          onChange={(part) => form.set({ day: part.day, time: part.time ?? '' })}
        />
      )}
      <p className="text-sm text-fg-3">
        The patient gets a text or an email with a link. The time is not held: the first to say yes gets it.
      </p>
    </ActionDialog>
  )
}
