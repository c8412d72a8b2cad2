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

const words: Record<RetentionKind, { name: string; what: string; since: string }> = {
  untouchedLeads: {
    name: 'Inactive leads',
    what: 'Forms that came in and were never followed by a call, an email, a note, a task or another stage. They are deleted permanently.',
    since: 'Days since the lead arrived',
  },
  leadBodies: {
    name: 'What lead forms have sent, word for word',
    what: 'The form as it came in. The patient who was made of it stays; a form that failed is kept until someone has tried it again.',
    since: 'Days since the lead arrived',
  },
  unlinkedMails: {
    name: 'Emails from people who are not patients',
    what: 'Inbox conversations that are linked to no patient, with their attachments.',
    since: 'Days since the last message',
  },
  unsentMails: {
    name: 'Emails that could not be sent',
    what: 'Codes, receipts and reminders that the email service has not taken, however often it was tried.',
    since: 'Days since the last try',
  },
  refusedUploads: {
    name: 'Files of patients that were refused',
    what: 'What patients have sent through the portal and the practice has refused.',
    since: 'Days since the file was sent',
  },
  deletedDocuments: {
    name: 'Deleted documents',
    what: 'They can be restored for 32 days, or for as long as you choose. The files themselves are deleted five weeks later.',
    since: 'Days since they were deleted',
  },
  deletedPatients: {
    name: 'Deleted patients',
    what: 'They can be restored for 24 hours. When this is on, they are erased the following night.',
    since: 'Days since they were deleted',
  },
  importFiles: {
    name: 'Files that were imported',
    what: 'The rows as they were read are kept for 30 days, or for as many as you choose. Without them an import cannot be undone.',
    since: 'Days since the import',
  },
  readNotifications: {
    name: 'Notifications that were read',
    what: 'Notifications, to everyone.',
    since: 'Days since they were notified',
  },
  endedSessions: {
    name: 'Sessions that have ended',
    what: 'When and from where someone was signed in.',
    since: 'Days since the session ended',
  },
}

/** What is forgotten by itself, and after how long. */
export function RetentionCard() {
  const cache = useQueryClient()
  const clock = useClock()
  const rules = useQuery(orpc.retention.list.queryOptions())
  useLive(['retention'], () => void cache.invalidateQueries({ queryKey: orpc.retention.key() }))
  return (
    <Section id="retention" title="Retention">
      <p className="pt-3 text-sm text-fg-2">
        Each night, what is older than you say is forgotten. Nothing is unless you switch it on. Receipts, quotes, surgeries, what patients
        owe and the audit log are always kept.
      </p>
      <Asked query={rules} failed="Couldn’t load the rules">
        {(list) => (
          <ul aria-label="Retention">
            {list.map((rule) => (
              <li key={rule.kind} className="border-b border-line py-4">
                <RuleLine rule={rule} clock={clock} />
              </li>
            ))}
          </ul>
        )}
      </Asked>
    </Section>
  )
}

function RuleLine({ rule, clock }: { rule: Rule; clock: Clock }) {
  const cache = useQueryClient()
  const { name, what, since } = words[rule.kind]
  const [typed, setTyped] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [found, setFound] = useState<number | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [asked, setAsked] = useState<{ count: number; days: number } | null>(null)
  const hasChoice = rule.leastDays < rule.maxDays
  const shown = typed ?? String(rule.days)
  const days = /^\d{1,4}$/.test(shown) && Number(shown) <= maxDays ? Number(shown) : null

  async function attempt(action: (days: number) => Promise<void>) {
    if (isBusy) return
    if (days === null) return setProblem(`A number of days, at most ${formatCount(maxDays)}`)
    setProblem(null)
    setBusy(true)
    try {
      await action(days)
    } catch (error) {
      const { days: wrong } = fieldErrorsOf(error)
      if (wrong) setProblem(wrong)
      else toast.error('Nothing was changed', messageOf(error))
    }
    setBusy(false)
  }
  async function set(isOn: boolean, given: number) {
    await client.retention.set({ kind: rule.kind, isOn, days: given })
    await cache.invalidateQueries({ queryKey: orpc.retention.list.key() })
    setTyped(null)
    setFound(null)
    setAsked(null)
    toast.success(
      isOn ? `${name}: forgotten ${hasChoice ? `after ${given} ${given === 1 ? 'day' : 'days'}` : 'each night'}` : `${name}: kept`,
    )
  }
  const countNow = async (given: number) => (await client.retention.count({ kind: rule.kind, days: given })).count
  // What cannot be undone is not one press away: anyone who switches it on has seen how much it is.
  const switchOn = () =>
    attempt(async (given) => {
      const count = await countNow(given)
      if (count > 0) setAsked({ count, days: given })
      else await set(true, given)
    })
  const switchOff = () => attempt((given) => set(false, given))

  return (
    <div className="flex flex-col gap-3">
      <Switch checked={rule.isOn} onCheckedChange={(on) => void (on ? switchOn() : switchOff())} hint={what}>
        <span className="text-md font-medium">{name}</span>
      </Switch>
      <div className="flex flex-wrap items-start gap-2">
        {hasChoice && (
          <Field label={since} error={problem ?? undefined} className="w-56">
            <Input
              inputMode="numeric"
              value={shown}
              maxLength={4}
              autoComplete="off"
              onChange={({ target }) => {
                setTyped(target.value)
                setFound(null)
              }}
            />
          </Field>
        )}
        <span className={cn('flex gap-2', hasChoice && 'pt-6.5')}>
          <Button onClick={() => void attempt(async (given) => setFound(await countNow(given)))}>Preview</Button>
          {rule.isOn && shown !== String(rule.days) && <Button onClick={() => void switchOn()}>Save days</Button>}
        </span>
      </div>
      <p role="status" className="text-sm text-fg-2">
        {found !== null
          ? `${formatCount(found)} would be forgotten now. Nothing was.`
          : rule.lastRunAt
            ? `Last looked ${formatDateTime(rule.lastRunAt, clock)}: ${formatCount(rule.lastCount ?? 0)} forgotten.`
            : ''}
      </p>
      {asked && (
        <ConfirmDialog
          open
          onOpenChange={() => setAsked(null)}
          title={`Forget ${formatCount(asked.count)} tonight?`}
          confirmLabel={rule.isOn ? 'Save days' : 'Switch on'}
          busyLabel="Saving..."
          busy={isBusy}
          danger
          onConfirm={() => void attempt(() => set(true, asked.days))}
        >
          {name}: {formatCount(asked.count)} would be forgotten tonight, and each night what has become old enough. None of it can be
          brought back.
        </ConfirmDialog>
      )}
    </div>
  )
}
