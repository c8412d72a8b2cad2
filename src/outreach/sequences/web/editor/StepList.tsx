import {
  Bell,
  CalendarClock,
  CircleAlert,
  Clock,
  GitBranch,
  Kanban,
  ListChecks,
  LogOut,
  type LucideIcon,
  Mail,
  MessageSquare,
  Phone,
  Plus,
  Tag,
  UserPlus,
  Webhook,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { byId, type Directory } from '../../../../crm/contacts/web/embed/directory.ts'
import { isCommercialCategory } from '../../../../crm/consent/rules.ts'
import { cn } from '../../../../ui/cn.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { DropdownMenu, MenuItem } from '../../../../ui/overlays/DropdownMenu.tsx'
import type { BranchStep, Step, Trigger, TriggerKind } from '../../definition-contract.ts'
import { type Names, titleOf } from '../../title-rules.ts'
import type { Arm, DraftProblems, List } from '../draft.ts'
import { countOf, stepKindLabels } from '../labels.ts'
import type { SequenceData, TemplateChoice } from '../sequence-data.ts'

const stepIcons: Record<Step['kind'], LucideIcon> = {
  text: MessageSquare,
  email: Mail,
  task: Phone,
  wait: Clock,
  until: CalendarClock,
  branch: GitBranch,
  stage: Kanban,
  tag: Tag,
  owner: UserPlus,
  hook: Webhook,
  leave: LogOut,
}

export const triggerIcons: Partial<Record<TriggerKind, LucideIcon>> = {
  lead: UserPlus,
  stage: Kanban,
  tag: Tag,
  'form-unanswered': ListChecks,
  'follow-up': Bell,
  'no-contact': Clock,
}
export const defaultTriggerIcon: LucideIcon = CalendarClock

/** What the cards of steps show besides the steps. */
export interface StepContext {
  names: Names
  trigger: Trigger
  directory: Directory
  templates: readonly TemplateChoice[]
  /** Of the last 90 days. */
  counts: SequenceData['steps']
  problems: DraftProblems['steps'] | undefined
  /** The step whose drawer is open. */
  openId: string | null
  onOpen: (id: string) => void
  onAdd: (list: List, kind: Step['kind']) => void
}

/** The steps of a sequence or of an arm of a branch, one below the other, and a button that adds one at the end. */
export function StepList({ steps, list, context, label }: { steps: readonly Step[]; list: List; context: StepContext; label: string }) {
  return (
    <>
      {steps.length > 0 && (
        <ol aria-label={label}>
          {steps.map((step) => (
            <li key={step.id}>
              {step.kind === 'wait' || step.kind === 'until' ? (
                <WaitLine step={step} context={context} />
              ) : (
                <>
                  <Line />
                  <StepCard step={step} context={context} />
                  {step.kind === 'branch' && <Arms branch={step} context={context} />}
                </>
              )}
            </li>
          ))}
        </ol>
      )}
      <Line />
      <AddStep list={list} label={list === null ? 'Add step' : `Add step to ${label}`} onAdd={context.onAdd} />
    </>
  )
}

const Line = () => <span aria-hidden="true" className="ml-7 block h-3.5 w-px bg-line-2 max-md:ml-4" />

function WaitLine({ step, context: { names, trigger, problems, openId, onOpen } }: { step: Step; context: StepContext }) {
  const problem = problems?.get(step.id)
  return (
    <div className="ml-7 border-l border-line-2 py-0.5 max-md:ml-4">
      <button
        type="button"
        data-stop={step.id}
        onClick={() => onOpen(step.id)}
        className={cn(
          'ml-1 flex min-h-11 max-w-full items-center gap-2 rounded-sm px-2 text-left text-sm text-fg-2 hover:bg-hover hover:text-fg md:min-h-8',
          openId === step.id && 'bg-selected text-fg',
        )}
      >
        {titleOf(step, names, trigger)}
        {problem && <Problem>{problem}</Problem>}
      </button>
    </div>
  )
}

export const cardStyle =
  'flex min-h-14 w-full items-center gap-3 rounded-lg border border-line bg-raised px-3.5 py-2.5 text-left hover:bg-hover aria-[current]:border-accent'

export function CardIcon({ icon: Icon, isAccent = false }: { icon: LucideIcon; isAccent?: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        'flex size-8 flex-none items-center justify-center rounded-md',
        isAccent ? 'bg-accent-soft text-accent-fg' : 'bg-hover text-fg-2',
      )}
    >
      <Icon />
    </span>
  )
}

export function Problem({ children }: { children: ReactNode }) {
  return (
    <span className="flex items-center gap-1.5 text-sm text-danger-fg">
      <CircleAlert aria-hidden="true" />
      {children}
    </span>
  )
}

function StepCard({ step, context }: { step: Exclude<Step, { kind: 'wait' | 'until' }>; context: StepContext }) {
  const problem = context.problems?.get(step.id)
  const detail = detailOf(step, context)
  return (
    <button
      type="button"
      data-stop={step.id}
      aria-current={context.openId === step.id || undefined}
      onClick={() => context.onOpen(step.id)}
      className={cardStyle}
    >
      <CardIcon icon={stepIcons[step.kind]} />
      <span className="min-w-0 flex-1">
        <span className="block text-md font-medium wrap-anywhere text-fg">{cardTitle(step, context)}</span>
        {problem ? <Problem>{problem}</Problem> : detail && <span className="block text-sm text-fg-2">{detail}</span>}
      </span>
      <StepCounts step={step} counts={context.counts[step.id]} />
    </button>
  )
}

/** As the log calls it, or what it will be while nothing is chosen yet. */
function cardTitle(step: Step, { names, trigger }: Pick<StepContext, 'names' | 'trigger'>): string {
  if ((step.kind === 'text' || step.kind === 'email') && step.templateId === '') return stepKindLabels[step.kind]
  if (step.kind === 'stage' && step.stageId === '') return stepKindLabels.stage
  if (step.kind === 'tag' && step.tagId === '') return stepKindLabels.tag
  if (step.kind === 'task')
    return step.title === '' ? stepKindLabels.task : `${titleOf(step, names, trigger)}, due in ${formatHours(step.hours)}`
  return titleOf(step, names, trigger)
}

function formatHours(hours: number): string {
  if (!Number.isFinite(hours)) return '…'
  return hours >= 24 && hours % 24 === 0 ? countOf(hours / 24, 'day') : countOf(hours, 'hour')
}

function detailOf(step: Step, { templates, directory }: StepContext): string | null {
  switch (step.kind) {
    case 'text':
    case 'email': {
      const template = templates.find(({ id }) => id === step.templateId)
      if (!template) return null
      const language = template.isFrenchToo ? 'English or French by the patient' : 'In English only'
      return isCommercialCategory(template.category) ? `${language} · marketing: only with consent` : language
    }
    case 'task':
      return step.people.length === 0 ? 'For the patient’s owner' : `Assigned in turn: ${namesOf(step.people, directory)}`
    case 'owner':
      return step.people.length > 1 ? `In turn: ${namesOf(step.people, directory)}` : namesOf(step.people, directory)
    case 'branch':
      return step.days === 0 ? 'Checked at once' : `Waits up to ${countOf(step.days, 'day')}`
    default:
      return null
  }
}

const namesOf = (ids: readonly string[], { people }: Directory): string =>
  ids.map((id) => byId(people, id)?.firstName ?? 'a former colleague').join(', ')

const doneWords: Partial<Record<Step['kind'], string>> = { text: 'sent', email: 'sent', task: 'created' }

function StepCounts({ step, counts }: { step: Step; counts: SequenceData['steps'][string] | undefined }) {
  if (!counts) return null
  const { done, refused, yes, no } = counts
  if (step.kind === 'branch') {
    return yes + no > 0 ? (
      <span className="flex-none text-sm text-fg-2 tabular-nums">{Math.round((yes / (yes + no)) * 100)}% yes</span>
    ) : null
  }
  return (
    <span className="flex flex-none flex-col items-end gap-1 text-sm text-fg-2 tabular-nums">
      {done > 0 && (
        <span>
          {done.toLocaleString('en-CA')} {doneWords[step.kind] ?? 'done'}
        </span>
      )}
      {refused > 0 && <Badge tone="warning">{refused.toLocaleString('en-CA')} refused</Badge>}
    </span>
  )
}

const questions: Record<BranchStep['on'], Record<Arm, string>> = {
  reply: { yes: 'They replied', no: 'No reply' },
  booking: { yes: 'They booked', no: 'No booking' },
  link: { yes: 'They opened a link', no: 'No link opened' },
}

/** Both ways of a branch, indented below it. */
function Arms({ branch, context }: { branch: BranchStep; context: StepContext }) {
  return (
    <div className="ml-7 flex flex-col gap-3 border-l border-line-2 pt-3 pl-6 max-md:ml-4 max-md:pl-3">
      {(['yes', 'no'] as const).map((arm) => {
        const label = questions[branch.on][arm]
        return (
          <section key={arm} aria-label={label}>
            <p className="text-sm font-medium text-fg-2">
              {arm === 'yes' ? 'Yes' : 'No'}: {branch[arm].length === 0 ? `${label.toLowerCase()}, go on below` : label.toLowerCase()}
            </p>
            <StepList steps={branch[arm]} list={{ branch: branch.id, arm }} context={context} label={`“${label}”`} />
          </section>
        )
      })}
    </div>
  )
}

const offered: readonly Step['kind'][] = ['text', 'email', 'task', 'wait', 'until', 'branch', 'stage', 'tag', 'owner', 'hook', 'leave']

function AddStep({ list, label, onAdd }: { list: List; label: string; onAdd: StepContext['onAdd'] }) {
  return (
    <DropdownMenu
      align="start"
      trigger={
        <Button
          icon={<Plus />}
          size={list === null ? 'md' : 'sm'}
          variant={list === null ? 'outlined' : 'quiet'}
          aria-label={label}
          data-stop={`add ${list?.branch ?? ''} ${list?.arm ?? ''}`}
        >
          Add step
        </Button>
      }
    >
      {offered.map((kind) => {
        const Icon = stepIcons[kind]
        return (
          <MenuItem key={kind} icon={<Icon />} onSelect={() => onAdd(list, kind)}>
            {stepKindLabels[kind]}
          </MenuItem>
        )
      })}
    </DropdownMenu>
  )
}
