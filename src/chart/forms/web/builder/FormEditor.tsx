import { useQueryClient } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Eye, EyeOff, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { client, codeOf, messageOf, orpc } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { useUnsavedGuard } from '../../../../ui/forms/useUnsavedGuard.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { checkDefinition, definitionProblems, type DefinitionProblem, type FormDefinition, type Section } from '../../definition-rules.ts'
import { allQuestions } from '../../rules.ts'
import type { TemplateData } from '../form-data.ts'
import { ConditionFields } from './ConditionFields.tsx'
import { move, newQuestion, newSection, questionsBefore, remove, setQuestion, setSection } from './draft.ts'
import { FormPreview } from './FormPreview.tsx'
import { QuestionEditor } from './QuestionEditor.tsx'
import { WordsFields } from './WordsFields.tsx'

const versionOf = ({ draft, published }: TemplateData) => (draft ?? published)!

/** The editor: sections with questions at the left, how a patient sees them at the right. */
export function FormEditor({ template }: { template: TemplateData }) {
  const cache = useQueryClient()
  const [saved, setSaved] = useState(template)
  const [definition, setDefinition] = useState<FormDefinition>(() => versionOf(template).definition)
  const [openId, setOpenId] = useState<string | null>(null)
  const [showsProblems, setShowsProblems] = useState(false)
  const [busy, setBusy] = useState<'save' | 'publish' | 'active' | null>(null)
  const [conflict, setConflict] = useState(false)
  const [showsPreview, setShowsPreview] = useState(true)
  const isDirty = JSON.stringify(definition) !== JSON.stringify(versionOf(saved).definition)
  const guard = useUnsavedGuard(() => isDirty)
  const problems = showsProblems ? checkDefinition(definition) : []

  function keep(after: TemplateData) {
    setSaved(after)
    cache.setQueryData(orpc.forms.template.queryKey({ input: { id: template.id } }), after)
    void cache.invalidateQueries({ queryKey: orpc.forms.templates.key() })
  }
  async function run(which: 'save' | 'publish' | 'active', work: () => Promise<TemplateData>, done: string, failed: string) {
    if (busy) return
    setBusy(which)
    setConflict(false)
    try {
      keep(await work())
      toast.success(done)
    } catch (error) {
      if (codeOf(error) === 'CONFLICT') setConflict(true)
      else toast.error(failed, messageOf(error))
    }
    setBusy(null)
  }
  const saveDraft = () => client.forms.saveDraft({ id: template.id, revision: versionOf(saved).revision, definition })
  const save = () => run('save', saveDraft, 'Draft saved', 'The draft was not saved')
  function publish(): void {
    const found = checkDefinition(definition)
    setShowsProblems(true)
    if (found.length > 0) {
      const first = allQuestions(definition).find(({ id }) => found.some(({ at }) => at === id))
      if (first) setOpenId(first.id)
      toast.error('Not published yet', 'Please correct the marked parts first.')
      return
    }
    void run(
      'publish',
      async () => {
        const draft = isDirty ? await saveDraft() : saved
        keep(draft)
        return client.forms.publish({ id: template.id, revision: versionOf(draft).revision })
      },
      'Form published',
      'The form was not published',
    )
  }
  async function takeTheirs() {
    const theirs = await client.forms.template({ id: template.id }).catch(() => null)
    if (!theirs) {
      toast.error('Couldn’t load the form', 'The connection was lost. Your changes are kept.')
      return
    }
    keep(theirs)
    setDefinition(versionOf(theirs).definition)
    setConflict(false)
  }

  const isUnpublished = isDirty || saved.draft !== null
  return (
    <section aria-labelledby="form-editor">
      {guard.dialog}
      <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line pb-3">
        <div className="flex min-w-0 items-center gap-3">
          <h2 id="form-editor" className="min-w-0 truncate text-lg font-semibold text-fg">
            {definition.title.en || 'Untitled form'}
          </h2>
          {!saved.isActive ? (
            <Badge>Inactive</Badge>
          ) : isUnpublished ? (
            <Badge tone="warning">{saved.published ? 'Unpublished changes' : 'Draft'}</Badge>
          ) : (
            <Badge tone="success">Published</Badge>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          {saved.published && (
            <Button
              variant="quiet"
              busy={busy === 'active'}
              onClick={() =>
                void run(
                  'active',
                  () => client.forms.setActive({ id: template.id, isActive: !saved.isActive }),
                  saved.isActive ? 'Form deactivated' : 'Form activated',
                  'The form was not changed',
                )
              }
            >
              {saved.isActive ? 'Deactivate' : 'Activate'}
            </Button>
          )}
          <Button icon={showsPreview ? <EyeOff /> : <Eye />} onClick={() => setShowsPreview(!showsPreview)}>
            {showsPreview ? 'Hide preview' : 'Show preview'}
          </Button>
          <Button busy={busy === 'save'} busyLabel="Saving…" disabled={!isDirty} onClick={() => void save()}>
            Save draft
          </Button>
          <Button variant="filled" busy={busy === 'publish'} busyLabel="Publishing…" disabled={!isUnpublished} onClick={publish}>
            Publish form
          </Button>
        </div>
      </div>
      <p className="max-w-[70ch] pt-3 text-sm text-fg-2">Patients see the published version. Forms that were already sent keep theirs.</p>
      {conflict && (
        <Alert
          tone="warning"
          className="mt-3"
          title="Someone else has changed this form."
          action={<Button onClick={() => void takeTheirs()}>Discard my changes</Button>}
        >
          Your changes are kept on this page, but can’t be saved over theirs.
        </Alert>
      )}
      <div className={showsPreview ? 'grid gap-8 pt-4 xl:grid-cols-[minmax(0,1fr)_26rem]' : 'max-w-180 pt-4'}>
        <div className="flex min-w-0 flex-col gap-6">
          <WordsFields
            label="Title"
            value={definition.title}
            onChange={(title) => setDefinition({ ...definition, title })}
            problem={messageAt(problems, null, 'title')}
          />
          {problems
            .filter(({ at, field }) => at === null && field !== 'title')
            .map(({ code }) => (
              <Alert key={code} tone="danger">
                {definitionProblems[code]}
              </Alert>
            ))}
          {definition.sections.map((section, index) => (
            <SectionEditor
              key={section.id}
              section={section}
              number={index + 1}
              definition={definition}
              onDefinition={setDefinition}
              problems={problems}
              openId={openId}
              onOpen={setOpenId}
            />
          ))}
          <Button
            icon={<Plus />}
            className="self-start"
            onClick={() => setDefinition({ ...definition, sections: [...definition.sections, newSection(definition)] })}
          >
            Add section
          </Button>
        </div>
        {showsPreview && <FormPreview definition={definition} />}
      </div>
    </section>
  )
}

const messageAt = (problems: readonly DefinitionProblem[], at: string | null, field: string): string | undefined => {
  const found = problems.find((problem) => problem.at === at && problem.field === field)
  return found && definitionProblems[found.code]
}

interface SectionEditorProps {
  section: Section
  number: number
  definition: FormDefinition
  onDefinition: (definition: FormDefinition) => void
  problems: readonly DefinitionProblem[]
  /** The question that is open for editing. */
  openId: string | null
  onOpen: (id: string | null) => void
}

function SectionEditor({ section, number, definition, onDefinition, problems, openId, onOpen }: SectionEditorProps) {
  const set = (change: Partial<Section>) => onDefinition(setSection(definition, section.id, change))
  const name = section.title.en || `Section ${number}`
  return (
    <section aria-label={name} className="border-t border-line pt-4">
      <div className="flex items-center justify-between gap-2 pb-2">
        <h3 className="text-title font-semibold text-fg">Section {number}</h3>
        <MoveButtons name={name} id={section.id} definition={definition} onDefinition={onDefinition} />
      </div>
      <div className="flex flex-col gap-4">
        <WordsFields
          label="Section title"
          value={section.title}
          onChange={(title) => set({ title })}
          problem={messageAt(problems, section.id, 'title')}
        />
        <WordsFields
          label="Introduction"
          isOptional
          value={section.help}
          onChange={(help) => set({ help })}
          problem={messageAt(problems, section.id, 'help')}
          isLong
        />
        <ConditionFields
          label="Show this section"
          condition={section.showIf}
          earlier={questionsBefore(definition, section.id)}
          onChange={(showIf) => set({ showIf })}
          problem={messageAt(problems, section.id, 'showIf')}
        />
        {messageAt(problems, section.id, 'questions') && <Alert tone="danger">{messageAt(problems, section.id, 'questions')}</Alert>}
        <ul aria-label={`Questions of ${name}`} className="flex flex-col gap-2">
          {section.questions.map((question) => (
            <li key={question.id} className="rounded-md border border-line">
              <QuestionEditor
                question={question}
                earlier={questionsBefore(definition, question.id)}
                isOpen={openId === question.id}
                onToggle={() => onOpen(openId === question.id ? null : question.id)}
                onChange={(changed) => onDefinition(setQuestion(definition, changed))}
                problems={problems.filter(({ at }) => at === question.id)}
                actions={
                  <MoveButtons
                    name={question.label.en || 'this question'}
                    id={question.id}
                    definition={definition}
                    onDefinition={onDefinition}
                  />
                }
              />
            </li>
          ))}
        </ul>
        <Button
          icon={<Plus />}
          size="sm"
          className="self-start"
          onClick={() => {
            const question = newQuestion(definition)
            set({ questions: [...section.questions, question] })
            onOpen(question.id)
          }}
        >
          Add question
        </Button>
      </div>
    </section>
  )
}

interface MoveButtonsProps {
  name: string
  id: string
  definition: FormDefinition
  onDefinition: (definition: FormDefinition) => void
}

function MoveButtons({ name, id, definition, onDefinition }: MoveButtonsProps) {
  return (
    <span className="flex flex-none items-center">
      <IconButton label={`Move ${name} up`} onClick={() => onDefinition(move(definition, id, -1))} icon={<ArrowUp />} />
      <IconButton label={`Move ${name} down`} onClick={() => onDefinition(move(definition, id, 1))} icon={<ArrowDown />} />
      <IconButton label={`Remove ${name}`} onClick={() => onDefinition(remove(definition, id))} icon={<Trash2 />} />
    </span>
  )
}
