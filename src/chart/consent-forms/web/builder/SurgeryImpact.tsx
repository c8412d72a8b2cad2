import { useQuery } from '@tanstack/react-query'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { type Clock, formatDate } from '../../../../ui/format.ts'
import type { ImpactChange } from '../../contract.ts'
import type { ImpactData } from '../consent-data.ts'
import { sendingProblem } from '../sending.ts'

type Line = ImpactData['surgeries'][number]

/** What a change of this consent form means for booked surgeries. `mustResign`: earlier signatures no longer count. */
export function useImpact(id: string, change: ImpactChange, mustResign = false) {
  const query = useQuery(orpc.consentForms.impact.queryOptions({ input: { id, change }, staleTime: 0 }))
  const all = query.data?.surgeries ?? []
  const needed = all.filter(({ effect }) => effect === 'needed' || (effect === 'resigned' && mustResign))
  return {
    query,
    needed,
    settled: all.filter(({ effect }) => effect === 'settled'),
    /** Those whom it can be emailed to. */
    sendable: needed.filter(({ email, isSent }) => email !== null && !isSent),
  }
}
type ImpactOf = ReturnType<typeof useImpact>

interface SurgeryImpactProps {
  impact: ImpactOf
  isSending: boolean
  onSending: (isSending: boolean) => void
}

/** Which booked surgeries are not ready from then on, with the offer to send it to their patients, and which no longer wait for it. */
export function SurgeryImpact({ impact: { query, needed, settled, sendable }, isSending, onSending }: SurgeryImpactProps) {
  if (query.error)
    return (
      <p role="alert" className="pt-3 text-danger-fg">
        Couldn’t check which booked surgeries need it.{' '}
        <Button size="sm" variant="quiet" busy={query.isFetching} onClick={() => void query.refetch()}>
          Try again
        </Button>
      </p>
    )
  if (!query.data) return <SkeletonRows rows={2} className="pt-3" />
  if (needed.length + settled.length === 0) return <p className="pt-3">No booked surgeries are affected.</p>
  return (
    <>
      {needed.length > 0 && (
        <>
          <p className="pt-3 font-medium text-fg">
            {needed.length === 1
              ? '1 booked surgery is not ready until its patient has signed it:'
              : `${needed.length} booked surgeries are not ready until their patients have signed it:`}
          </p>
          <Surgeries lines={needed} label="Surgeries that need it" />
          {sendable.length > 0 && (
            <CheckboxLine className="pt-3" checked={isSending} onCheckedChange={onSending} hint={hintOf(needed, sendable)}>
              {sendable.length === 1 ? 'Email it to this patient now' : `Email it to ${countPatients(sendable)} now`}
            </CheckboxLine>
          )}
        </>
      )}
      {settled.length > 0 && (
        <>
          <p className="pt-3 font-medium text-fg">
            {settled.length === 1
              ? '1 booked surgery no longer waits for it:'
              : `${settled.length} booked surgeries no longer wait for it:`}
          </p>
          <Surgeries lines={settled} label="Surgeries that no longer wait for it" />
        </>
      )}
    </>
  )
}

const countPatients = (lines: readonly Line[]): string => {
  const { size } = new Set(lines.map(({ contactId }) => contactId))
  return size === 1 ? '1 patient' : `${size} patients`
}

function hintOf(needed: readonly Line[], sendable: readonly Line[]): string | undefined {
  const left = needed.length - sendable.length
  if (left === 0) return undefined
  return left === 1 ? '1 already has it, or has no email address.' : `${left} already have it, or have no email address.`
}

function Surgeries({ lines, label }: { lines: readonly Line[]; label: string }) {
  const clock = useClock()
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard has to reach it
    <ul aria-label={label} tabIndex={0} className="mt-1.5 max-h-44 overflow-y-auto rounded-md border border-line px-3">
      {lines.map((line) => (
        <li key={line.id} className="flex items-baseline gap-3 border-b border-line py-1.5 last:border-b-0">
          <span className="min-w-0 flex-1 truncate text-fg">{line.patientName}</span>
          <span className="flex-none text-xs text-fg-3">{factsOf(line, clock)}</span>
        </li>
      ))}
    </ul>
  )
}

const factsOf = ({ procedures, startsAt, isSent, email }: Line, { timeZone }: Clock): string =>
  [procedures[0], formatDate(startsAt, timeZone), isSent ? 'sent' : email === null ? 'no email address' : null].filter(Boolean).join(' · ')

export interface NotSent {
  id: string
  contactId: string
  patientName: string
  reason: string
}

/** Emails the consent form to the patients of these surgeries, and returns those whom it could not be given, with the reason. */
export async function sendForAll(templateId: string, lines: readonly Line[]): Promise<NotSent[]> {
  const failed: NotSent[] = []
  for (const { id, contactId, patientName, email } of lines) {
    try {
      await client.consentForms.send({ contactId, templateId, surgeryId: id, email })
    } catch (error) {
      failed.push({ id, contactId, patientName, reason: reasonOf(error) })
    }
  }
  return failed
}

function reasonOf(error: unknown): string {
  const fields = (error as { data?: { fields?: Record<string, string> } }).data?.fields
  return Object.values(fields ?? {})[0] ?? (sendingProblem(error) || messageOf(error))
}
