import { useRef, useState } from 'react'
import { codeOf, messageOf } from '../../../../ui/client/api.ts'
import { useUnsavedGuard } from '../../../../ui/forms/useUnsavedGuard.tsx'
import { useMedia } from '../../../../ui/hooks/useMedia.ts'
import { toast } from '../../../../ui/overlays/toast.ts'
import { editedVersion, type TemplateOf } from './template-data.ts'

interface Editing<Template, Definition, Problem, Choice> {
  template: Template
  /** 'Form', for messages. */
  noun: string
  check: (definition: Definition) => Problem[]
  calls: {
    get: (input: { id: string }) => Promise<Template>
    saveDraft: (input: { id: string; revision: number; definition: Definition }) => Promise<Template>
    publish: (input: { id: string; revision: number } & Choice) => Promise<Template>
    setActive: (input: { id: string; isActive: boolean }) => Promise<Template>
  }
  /** Updates what the page has loaded. */
  onSaved: (template: Template) => void
}

/** The state of an editor of templates with versions: changes, saving, publishing and conflicts with someone else's changes. */
export function useTemplateEditor<
  Definition,
  Template extends TemplateOf<Definition>,
  Problem extends { at: string | null },
  Choice extends object = object,
>({ template, noun, check, calls, onSaved }: Editing<Template, Definition, Problem, Choice>) {
  const { id } = template
  const lower = noun.toLowerCase()
  const [saved, setSaved] = useState(template)
  const [definition, setDefinition] = useState<Definition>(() => editedVersion(template).definition)
  const [showsProblems, setShowsProblems] = useState(false)
  const [tries, setTries] = useState(0)
  /** Of the last attempt to publish: it no longer applies at the next. */
  const dismissRefusal = useRef(() => {})
  const hasRoom = useMedia('(width >= 80rem)')
  const [chosenPreview, setChosenPreview] = useState<boolean | null>(null)
  const [busy, setBusy] = useState<'save' | 'publish' | 'active' | null>(null)
  const [hasConflict, setConflict] = useState(false)
  const isDirty = JSON.stringify(definition) !== JSON.stringify(editedVersion(saved).definition)
  const guard = useUnsavedGuard(() => isDirty)

  function keep(after: Template) {
    setSaved(after)
    onSaved(after)
  }
  /** Whether it was done. */
  async function run(
    which: NonNullable<typeof busy>,
    work: () => Promise<Template>,
    done: string | null,
    failed: string,
  ): Promise<boolean> {
    if (busy) return false
    let isDone = false
    setBusy(which)
    setConflict(false)
    try {
      keep(await work())
      if (done !== null) toast.success(done)
      isDone = true
    } catch (error) {
      if (codeOf(error) === 'CONFLICT') setConflict(true)
      else toast.error(failed, messageOf(error))
    }
    setBusy(null)
    return isDone
  }
  const saveDraft = () => calls.saveDraft({ id, revision: editedVersion(saved).revision, definition })

  return {
    saved,
    definition,
    setDefinition,
    problems: showsProblems ? check(definition) : [],
    busy,
    hasConflict,
    isDirty,
    isUnpublished: isDirty || saved.draft !== null,
    dialog: guard.dialog,
    /** How often problems kept it from being published: each time, the first gets the focus. */
    tries,
    /** Beside the fields where there is room; otherwise it takes their place. */
    showsPreview: chosenPreview ?? hasRoom,
    onPreview: setChosenPreview,
    save: () => run('save', saveDraft, 'Draft saved', 'The draft was not saved'),
    /** Before a review, which is what the user asked for. */
    saveForReview: () => run('save', saveDraft, null, 'The draft was not saved'),
    /** Shows what keeps it from being published, and returns it. */
    findProblems(): Problem[] {
      const found = check(definition)
      dismissRefusal.current()
      setShowsProblems(true)
      if (found.length > 0) {
        dismissRefusal.current = toast.error('Not published yet', 'Correct the marked parts first.')
        setTries(tries + 1)
        if (!hasRoom) setChosenPreview(false)
      }
      return found
    },
    publish: (choice: Choice) =>
      run(
        'publish',
        async () => {
          const draft = isDirty ? await saveDraft() : saved
          keep(draft)
          return calls.publish({ id, revision: editedVersion(draft).revision, ...choice })
        },
        `${noun} published`,
        `The ${lower} was not published`,
      ),
    setActive: (isActive: boolean) =>
      run(
        'active',
        () => calls.setActive({ id, isActive }),
        `${noun} ${isActive ? 'activated' : 'deactivated'}`,
        `The ${lower} was not changed`,
      ),
    async takeTheirs() {
      const theirs = await calls.get({ id }).catch(() => null)
      if (!theirs) {
        toast.error(`Couldn’t load the ${lower}`, 'The connection was lost. Your changes are kept.')
        return
      }
      keep(theirs)
      setDefinition(editedVersion(theirs).definition)
      setConflict(false)
    },
  }
}
