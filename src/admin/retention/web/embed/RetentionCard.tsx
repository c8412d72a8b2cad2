import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Client, client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { fieldErrorsOf } from '../../../../ui/client/refusal.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { type Clock, formatCount, formatDateTime } from '../../../../ui/format.ts'
import { Input } from '../../../../ui/controls/Input.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { Switch } from '../../../../ui/controls/Switch.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { maxDays, type RetentionKind } from '../../rules.ts'

type Rule = Awaited<ReturnType<Client['retention']['list']>>[number]

const labels: Record<RetentionKind, { name: string; description: string; daysLabel: string }> = {
  untouchedLeads: {
    name: 'Inactive leads',
    description: 'Leads from a form with no call, email, note, task or stage change since. They are deleted permanently.',
    daysLabel: 'Days since the lead arrived',
  },
  leadBodies: {
    name: 'Raw lead form submissions',
    description:
      'The form exactly as received. The patient created from it is kept. A failed form is kept until someone retries or discards it.',
    daysLabel: 'Days since the lead arrived',
  },
  unlinkedMails: {
    name: 'Emails from people who are not patients',
    description: 'Inbox conversations not linked to a patient, with their attachments.',
    daysLabel: 'Days since the last message',
  },
  unsentMails: {
    name: 'Undelivered emails',
    description: 'Codes, receipts and reminders that the email service did not accept after all retries.',
    daysLabel: 'Days since the last attempt',
  },
  refusedUploads: {
    name: 'Rejected patient uploads',
    description: 'Files that patients uploaded in the portal and the practice rejected.',
    daysLabel: 'Days since the upload',
  },
  deletedDocuments: {
    name: 'Deleted documents',
    description: 'They can be restored for 32 days, or for as long as you choose. The files themselves are deleted 32 days after that.',
    daysLabel: 'Days since deletion',
  },
  deletedPatients: {
    name: 'Deleted patients',
    description: 'They can be restored for 24 hours. When this is on, they are erased the following night.',
    daysLabel: 'Days since deletion',
  },
  importFiles: {
    name: 'Import files',
    description: 'The rows read from each file are kept for 30 days, or fewer if you choose. Without them an import cannot be undone.',
    daysLabel: 'Days since the import',
  },
  readNotifications: {
    name: 'Read notifications',
    description: 'Notifications that staff have read.',
    daysLabel: 'Days since the notification',
  },
  endedSessions: {
    name: 'Ended sessions',
    description: 'When and from where staff were signed in.',
    daysLabel: 'Days since the session ended',
  },
}

/** The rules for automatic deletion, with a preview of each. */
export function RetentionCard() {
  const cache = useQueryClient()
  const clock = useClock()
  const rules = useQuery(orpc.retention.list.queryOptions())
  useLive(['retention'], () => void cache.invalidateQueries({ queryKey: orpc.retention.key() }))
  return (
    <Section id="retention" title="Retention">
      <p className="pt-3 text-sm text-fg-2">
        Each night, records older than the number of days you set are deleted. All rules are off until you turn them on. Receipts, quotes,
        surgeries, patient balances and the audit log are always kept.
      </p>
      <Asked query={rules} failed="Couldn’t load the retention rules">
        {(list) => (
          <ul aria-label="Retention">
            {list.map((rule) => (
              <li key={rule.kind} className="border-b border-line py-4">
                <RuleRow rule={rule} clock={clock} />
              </li>
            ))}
          </ul>
        )}
      </Asked>
    </Section>
  )
}

function RuleRow({ rule, clock }: { rule: Rule; clock: Clock }) {
  const cache = useQueryClient()
  const { name, description, daysLabel } = labels[rule.kind]
  const [typed, setTyped] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [previewCount, setPreviewCount] = useState<number | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [pending, setPending] = useState<{ count: number; days: number } | null>(null)
  const hasChoice = rule.minDays < rule.maxDays
  const value = typed ?? String(rule.days)
  const days = /^\d{1,4}$/.test(value) && Number(value) <= maxDays ? Number(value) : null

  async function attempt(action: (days: number) => Promise<void>) {
    if (isBusy) return
    if (days === null) return setProblem(`Enter a number of days, at most ${formatCount(maxDays)}`)
    setProblem(null)
    setBusy(true)
    try {
      await action(days)
    } catch (error) {
      const { days: message } = fieldErrorsOf(error)
      if (message) setProblem(message)
      else toast.error('Nothing was changed', messageOf(error))
    }
    setBusy(false)
  }
  async function set(isOn: boolean, newDays: number) {
    await client.retention.set({ kind: rule.kind, isOn, days: newDays })
    await cache.invalidateQueries({ queryKey: orpc.retention.list.key() })
    setTyped(null)
    setPreviewCount(null)
    setPending(null)
    toast.success(
      isOn
        ? `${name}: deleted ${hasChoice ? `after ${newDays} ${newDays === 1 ? 'day' : 'days'}` : 'each night'}`
        : `${name}: automatic deletion off`,
    )
  }
  const countNow = async (newDays: number) => (await client.retention.count({ kind: rule.kind, days: newDays })).count
  // Deletion cannot be undone, so turning a rule on first shows how many records it would delete.
  const turnOn = () =>
    attempt(async (newDays) => {
      const count = await countNow(newDays)
      if (count > 0) setPending({ count, days: newDays })
      else await set(true, newDays)
    })
  const turnOff = () => attempt((newDays) => set(false, newDays))

  return (
    <div className="flex flex-col gap-3">
      <Switch checked={rule.isOn} onCheckedChange={(on) => void (on ? turnOn() : turnOff())} hint={description}>
        <span className="text-md font-medium">{name}</span>
      </Switch>
      <div className="flex flex-wrap items-start gap-2">
        {hasChoice && (
          <Field label={daysLabel} error={problem ?? undefined} className="w-56">
            <Input
              inputMode="numeric"
              value={value}
              maxLength={4}
              autoComplete="off"
              onChange={({ target }) => {
                setTyped(target.value)
                setPreviewCount(null)
              }}
            />
          </Field>
        )}
        <span className={cn('flex gap-2', hasChoice && 'pt-6.5')}>
          <Button onClick={() => void attempt(async (newDays) => setPreviewCount(await countNow(newDays)))}>Preview</Button>
          {rule.isOn && value !== String(rule.days) && <Button onClick={() => void turnOn()}>Save days</Button>}
        </span>
      </div>
      <p role="status" className="text-sm text-fg-2">
        {previewCount !== null
          ? `${formatCount(previewCount)} would be deleted. Nothing has been deleted yet.`
          : rule.lastRunAt
            ? `Last run ${formatDateTime(rule.lastRunAt, clock)}: ${formatCount(rule.lastCount ?? 0)} deleted.`
            : ''}
      </p>
      {pending && (
        <ConfirmDialog
          onClose={() => setPending(null)}
          title={`Delete ${formatCount(pending.count)} tonight?`}
          action={{ label: rule.isOn ? 'Save days' : 'Turn on', busyLabel: 'Saving…', isDanger: true }}
          isBusy={isBusy}
          onConfirm={() => void attempt(() => set(true, pending.days))}
        >
          {name}: {formatCount(pending.count)} will be deleted tonight, and each night those that have reached this age. They cannot be
          restored.
        </ConfirmDialog>
      )}
    </div>
  )
}
