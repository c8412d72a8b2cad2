import { useNavigate, useSearch } from '@tanstack/react-router'
import { Ellipsis, FlaskConical, PencilLine, Power, Trash2 } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { describeFilter } from '../../../../crm/contacts/web/embed/ConditionsField.tsx'
import type { Directory } from '../../../../crm/contacts/web/embed/directory.ts'
import { useDirectory } from '../../../../crm/contacts/web/embed/useDirectory.ts'
import { client, messageOf } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { SegmentedControl } from '../../../../ui/controls/SegmentedControl.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { formatTimeOfDay } from '../../../../ui/format.ts'
import { DropdownMenu, MenuItem, MenuSeparator } from '../../../../ui/overlays/DropdownMenu.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { type Definition, type Step, stepsOf } from '../../definition-contract.ts'
import { titleOf } from '../../title-rules.ts'
import { appendStep, type DraftProblems, type List, moveStep, newStep, placeOf, removeStep, restoreStep, setStep } from '../draft.ts'
import { namesFrom, type SequenceData, useTemplateChoices } from '../sequence-data.ts'
import { AllSequences } from '../AllSequences.tsx'
import { StateBadge } from '../StateBadge.tsx'
import { describeExits, describeSources, describeTrigger } from '../trigger-text.ts'
import { DeleteDialog, NameSequenceDialog, PublishDialog, TurnOnDialog } from './dialogs.tsx'
import { RunList } from '../log/RunList.tsx'
import { DryRun } from './DryRun.tsx'
import { Results } from './Results.tsx'
import { RulesDrawer } from './RulesDrawer.tsx'
import { SameTrigger } from './SameTrigger.tsx'
import { StepDrawer } from './StepDrawer.tsx'
import { CardIcon, cardStyle, defaultTriggerIcon, Problem, type StepContext, StepList, triggerIcons } from './StepList.tsx'
import { TestDrawer } from './TestDrawer.tsx'
import { TriggerDrawer } from './TriggerDrawer.tsx'
import { useDraft } from './useDraft.ts'

const RunDrawer = lazyDialog(
  () => import('../log/RunDrawer.tsx'),
  ({ onClose }) => onClose(),
)

type Shown = 'test' | 'publish' | 'turn-on' | 'rename' | 'delete' | null

/** A sequence: its steps at the left, for whom the draft would start and what patients did at the right. */
export function SequenceEditor({ sequence }: { sequence: SequenceData }) {
  const directory = useDirectory()
  const navigate = useNavigate({ from: '/settings/sequences/$id' })
  const { view = 'steps', run } = useSearch({ from: '/staff/settings/sequences/$id' })
  const templates = useTemplateChoices()
  const edited = useDraft(sequence)
  const [shown, setShown] = useState<Shown>(null)
  const { draft, change } = edited
  const next = (sequence.published ?? 0) + 1
  const isPublishable = edited.isDirty || sequence.hasChanges

  async function publish() {
    if ((await edited.save()) !== null) setShown('publish')
  }
  async function turnOff() {
    try {
      await client.sequences.setOn({ id: sequence.id, on: false, days: 0 })
      await edited.refresh()
      toast.success('Sequence turned off', sequence.active > 0 ? 'Patients already in it continue to the end.' : undefined)
    } catch (error) {
      toast.error('The sequence is still on', messageOf(error))
    }
  }

  return (
    <div
      className="min-h-0 flex-1 overflow-y-auto xl:grid xl:grid-cols-[minmax(0,1fr)_22rem] xl:overflow-hidden"
      data-scroll-restoration-id="sequence"
    >
      {edited.dialog}
      <div className="min-w-0 px-4 pt-4 pb-10 md:px-10 xl:overflow-y-auto">
        <div className="md:hidden">
          <AllSequences />
        </div>
        <header className="flex flex-wrap items-center gap-x-3 gap-y-3 pb-4">
          <h2 className="min-w-0 text-lg font-semibold wrap-anywhere text-fg">{sequence.name}</h2>
          <StateBadge sequence={sequence} />
          {(edited.isDirty || (sequence.hasChanges && sequence.published !== null)) && (
            <span className="text-sm text-fg-3">{edited.isDirty ? 'Unsaved changes' : 'Draft changes'}</span>
          )}
          <div className="flex flex-wrap gap-2 max-md:w-full md:ml-auto">
            {edited.isDirty && (
              <Button
                busy={edited.isSaving}
                busyLabel="Saving…"
                onClick={() => void edited.save().then((saved) => saved !== null && toast.success('Draft saved'))}
              >
                Save draft
              </Button>
            )}
            {sequence.draft.steps.length > 0 && (
              <Button icon={<FlaskConical />} onClick={() => setShown('test')}>
                Test with a patient
              </Button>
            )}
            {isPublishable && draft.steps.length > 0 && (
              <Button variant="filled" className="max-md:flex-1" onClick={() => void publish()}>
                Publish version {next}
              </Button>
            )}
            {!isPublishable && !sequence.isOn && (
              <Button variant="filled" className="max-md:flex-1" icon={<Power />} onClick={() => setShown('turn-on')}>
                Turn on
              </Button>
            )}
            <DropdownMenu trigger={<IconButton label="More actions" variant="outlined" size="lg" icon={<Ellipsis />} />}>
              <MenuItem icon={<PencilLine />} onSelect={() => setShown('rename')}>
                Rename
              </MenuItem>
              {sequence.isOn ? (
                <MenuItem icon={<Power />} onSelect={() => void turnOff()}>
                  Turn off
                </MenuItem>
              ) : (
                sequence.published !== null && (
                  <MenuItem icon={<Power />} onSelect={() => setShown('turn-on')}>
                    Turn on version {sequence.published}
                  </MenuItem>
                )
              )}
              <MenuSeparator />
              <MenuItem icon={<Trash2 />} danger onSelect={() => setShown('delete')}>
                Delete sequence
              </MenuItem>
            </DropdownMenu>
          </div>
        </header>
        {edited.hasConflict && (
          <Alert
            tone="warning"
            className="mb-4 max-w-140"
            title="Someone else has changed this sequence."
            action={<Button onClick={() => void edited.discard()}>Discard my changes</Button>}
          >
            Your changes are kept on this page, but cannot be saved over theirs.
          </Alert>
        )}
        <SameTrigger sequence={sequence} className="mb-4 max-w-140" />
        <SegmentedControl
          aria-label="What to show"
          className="mb-4"
          value={view}
          onValueChange={(next) => void navigate({ search: next === 'patients' ? { view: next } : {}, replace: true })}
          options={[
            { value: 'steps', label: 'Steps' },
            { value: 'patients', label: 'Patients' },
          ]}
        />
        {view === 'patients' ? (
          <RunList sequenceId={sequence.id} />
        ) : (
          <Steps sequence={sequence} draft={draft} problems={edited.problems} directory={directory} templates={templates} change={change} />
        )}
      </div>
      <aside className="border-t border-line px-4 py-5 md:px-10 xl:overflow-y-auto xl:border-t-0 xl:border-l xl:px-6">
        <div className="flex max-w-140 flex-col gap-8">
          <DryRun sequence={sequence} isDirty={edited.isDirty} />
          <Results sequence={sequence} />
        </div>
      </aside>
      {run !== undefined && (
        <RunDrawer
          key={run}
          id={run}
          onClose={() => void navigate({ search: (before) => ({ ...before, run: undefined }), replace: true })}
        />
      )}
      {shown === 'test' && <TestDrawer sequence={sequence} isDirty={edited.isDirty} onClose={() => setShown(null)} />}
      {shown === 'publish' && <PublishDialog sequence={sequence} onDone={edited.refresh} onClose={() => setShown(null)} />}
      {shown === 'turn-on' && <TurnOnDialog sequence={sequence} onDone={edited.refresh} onClose={() => setShown(null)} />}
      {shown === 'rename' && <NameSequenceDialog sequence={sequence} onDone={edited.refresh} onClose={() => setShown(null)} />}
      {shown === 'delete' && (
        <DeleteDialog
          sequence={sequence}
          onClose={() => setShown(null)}
          onDone={() => edited.leave(() => void navigate({ to: '/settings/$section', params: { section: 'sequences' } }))}
        />
      )}
    </div>
  )
}

interface StepsProps {
  sequence: SequenceData
  draft: Definition
  problems: DraftProblems | null
  directory: Directory
  templates: ReturnType<typeof useTemplateChoices>
  change: (work: (draft: Definition) => Definition) => void
}

const stopOf = (id: string) => document.querySelector<HTMLElement>(`[data-stop="${id}"]`)
const focusStop = (id: string) => stopOf(id)?.focus()

/**
 * The cards of a sequence. Arrow keys walk them, Enter opens one, Alt with an arrow key moves a step, Delete removes it.
 */
function Steps({ sequence, draft, problems, directory, templates, change }: StepsProps) {
  const [openId, setOpenId] = useState<string | null>(null)
  const [addedId, setAddedId] = useState<string | null>(null)
  /** The card that gets the focus when a drawer closes: its own, or the next one if the step was removed. */
  const lastId = useRef('trigger')
  const returnTo = () => stopOf(lastId.current)
  function openCard(id: string) {
    lastId.current = id
    setOpenId(id)
  }
  const [announcement, setAnnouncement] = useState('')
  const root = useRef<HTMLDivElement>(null)
  const names = namesFrom(directory, templates.titles)
  const { steps } = draft
  const setSteps = (work: (steps: Step[]) => Step[]) => change((before) => ({ ...before, steps: work(before.steps) }))
  const open = openId === null ? undefined : stepsOf(steps).find(({ id }) => id === openId)

  const context: StepContext = {
    names,
    trigger: draft.trigger,
    directory,
    templates: templates.choices,
    counts: sequence.steps,
    problems: problems?.steps,
    openId,
    onOpen: openCard,
    onAdd(list: List, kind: Step['kind']) {
      const step = newStep(kind)
      setSteps((before) => appendStep(before, list, step))
      setAddedId(step.id)
      openCard(step.id)
    },
  }
  function move(id: string, by: -1 | 1) {
    const moved = moveStep(steps, id, by)
    if (!moved) return
    flushSync(() => setSteps((before) => moveStep(before, id, by) ?? before))
    const all = stepsOf(moved)
    setAnnouncement(
      `${titleOf(
        all.find((step) => step.id === id)!,
        names,
        draft.trigger,
      )} is step ${all.findIndex((step) => step.id === id) + 1} of ${all.length}.`,
    )
  }
  function remove(id: string) {
    const step = stepsOf(steps).find((one) => one.id === id)
    const place = placeOf(steps, id)
    if (!step || !place) return
    const stops = stopsIn(root.current)
    const at = stops.findIndex((stop) => stop.dataset.stop === id)
    const inside = step.kind === 'branch' ? new Set(stepsOf([step]).map((one) => one.id)) : new Set([id])
    const following = stops.slice(at).find((stop) => !inside.has(stop.dataset.stop!) && !stop.dataset.stop!.startsWith(`add ${id} `))
    lastId.current = following?.dataset.stop ?? 'trigger'
    flushSync(() => {
      setOpenId(null)
      setSteps((before) => removeStep(before, id))
    })
    // A drawer that was open does the same when it has closed.
    focusStop(lastId.current)
    toast.undoable(step.kind === 'branch' && step.yes.length + step.no.length > 0 ? 'Branch and its steps removed' : 'Step removed', () =>
      setSteps((before) => restoreStep(before, { place, step })),
    )
  }
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const stop = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-stop]') : null
    if (!stop || !event.currentTarget.contains(stop) || event.ctrlKey || event.metaKey || event.shiftKey) return
    const id = stop.dataset.stop!
    const isStep = stepsOf(steps).some((step) => step.id === id)
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : null
    if (by !== null && event.altKey) {
      event.preventDefault()
      if (!isStep) return
      move(id, by)
      focusStop(id)
    } else if (by !== null) {
      // The arrow down would open the menu of a button.
      event.preventDefault()
      const stops = stopsIn(event.currentTarget)
      stops[Math.max(0, Math.min(stops.length - 1, stops.indexOf(stop) + by))]?.focus()
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && isStep) {
      event.preventDefault()
      remove(id)
    }
  }

  const { trigger, hours } = draft
  const conditions = [describeSources(trigger, directory), describeFilter(draft.filter, directory)].filter(Boolean).join(' · ')
  return (
    <div ref={root} onKeyDownCapture={onKeyDown} className="max-w-140">
      <p className="sr-only" id="sequence-keys">
        Arrow keys move between the steps, Enter opens one, Alt with an arrow key moves it, and Delete removes it.
      </p>
      <div role="group" aria-label="Steps of the sequence" aria-describedby="sequence-keys">
        <button
          type="button"
          data-stop="trigger"
          aria-current={openId === 'trigger' || undefined}
          onClick={() => openCard('trigger')}
          className={cardStyle}
        >
          <CardIcon icon={triggerIcons[trigger.kind] ?? defaultTriggerIcon} isAccent />
          <span className="min-w-0 flex-1">
            <span className="block text-md font-medium wrap-anywhere text-fg">{describeTrigger(trigger, directory)}</span>
            {problems?.trigger ? (
              <Problem>{problems.trigger}</Problem>
            ) : (
              <span className="block text-sm text-fg-2">{conditions || 'For all patients'}</span>
            )}
          </span>
        </button>
        <div className="ml-7 border-l border-line-2 py-0.5 max-md:ml-4">
          <button
            type="button"
            data-stop="rules"
            onClick={() => openCard('rules')}
            className="ml-1 flex min-h-11 items-center gap-2 rounded-sm px-2 text-left text-sm text-fg-2 hover:bg-hover hover:text-fg md:min-h-8"
          >
            Messages are sent from {formatTimeOfDay(hours.from)} to {formatTimeOfDay(hours.to)}, patient’s time; texts wait for the end of
            quiet hours
            {problems?.rules && <Problem>{problems.rules}</Problem>}
          </button>
        </div>
        <StepList steps={steps} list={null} context={context} label="Steps" />
      </div>
      <p className="pt-3 text-sm text-fg-2">
        Leaves at any time on: {describeExits(draft)}.{' '}
        <Button size="sm" variant="quiet" className="-my-1 -ml-1.5" onClick={() => openCard('rules')}>
          Change
        </Button>
      </p>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {openId === 'trigger' && (
        <TriggerDrawer
          definition={draft}
          directory={directory}
          problem={problems?.trigger ?? undefined}
          onChange={(definition) => change(() => definition)}
          returnTo={returnTo}
          onClose={() => setOpenId(null)}
        />
      )}
      {openId === 'rules' && (
        <RulesDrawer
          definition={draft}
          problem={problems?.rules ?? undefined}
          onChange={(definition) => change(() => definition)}
          returnTo={returnTo}
          onClose={() => setOpenId(null)}
        />
      )}
      {open && (
        <StepDrawer
          key={open.id}
          step={open}
          isNew={open.id === addedId}
          trigger={trigger}
          directory={directory}
          templates={templates.choices}
          problem={problems?.steps.get(open.id)}
          moves={{ up: moveStep(steps, open.id, -1) !== null, down: moveStep(steps, open.id, 1) !== null }}
          onChange={(step) => setSteps((before) => setStep(before, step))}
          onMove={(by) => move(open.id, by)}
          onRemove={() => remove(open.id)}
          returnTo={returnTo}
          onClose={() => {
            setOpenId(null)
            setAddedId(null)
          }}
        />
      )}
    </div>
  )
}

const stopsIn = (root: HTMLElement | null): HTMLElement[] => [...(root?.querySelectorAll<HTMLElement>('[data-stop]') ?? [])]
