import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type Dispatch, type SetStateAction, useState } from 'react'
import { flushSync } from 'react-dom'
import { client, orpc } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { useProblemFocus } from '../../../../ui/forms/useProblemFocus.ts'
import { toast } from '../../../../ui/overlays/toast.ts'
import { EditorColumns } from '../../../templates/web/embed/EditorColumns.tsx'
import { EditorHeader } from '../../../templates/web/embed/EditorHeader.tsx'
import { focusItem } from '../../../templates/web/embed/FoldingItem.tsx'
import { ItemActions } from '../../../templates/web/embed/ItemActions.tsx'
import { useTemplateEditor } from '../../../templates/web/embed/useTemplateEditor.ts'
import { WordsFields } from '../../../templates/web/embed/WordsFields.tsx'
import { checkDefinition, definitionProblems, type DefinitionProblem, type FormDefinition, type Section } from '../../definition-rules.ts'
import { allQuestions } from '../../rules.ts'
import type { TemplateData } from '../form-data.ts'
import { ConditionFields } from './ConditionFields.tsx'
import { move, newQuestion, newSection, questionsBefore, remove, restore, setQuestion, setSection } from './draft.ts'
import { FormPreview } from './FormPreview.tsx'
import { QuestionEditor } from './QuestionEditor.tsx'

/** The editor: sections with questions at the left, how a patient sees them at the right. */
export function FormEditor({ template }: { template: TemplateData }) {
  const cache = useQueryClient()
  const [openId, setOpenId] = useState<string | null>(null)
  const editor = useTemplateEditor<FormDefinition, TemplateData, DefinitionProblem>({
    template,
    noun: 'Form',
    check: checkDefinition,
    calls: {
      get: client.forms.template,
      saveDraft: client.forms.saveDraft,
      publish: client.forms.publish,
      setActive: client.forms.setActive,
    },
    onSaved(after) {
      cache.setQueryData(orpc.forms.template.queryKey({ input: { id: template.id } }), after)
      void cache.invalidateQueries({ queryKey: orpc.forms.templates.key() })
    },
  })
  const { definition, setDefinition, problems, saved } = editor
  const root = useProblemFocus<HTMLElement>({ tries: editor.tries })
  const editedSection = definition.sections.find(({ questions }) => questions.some(({ id }) => id === openId))?.id ?? null
  function publish(): void {
    const found = editor.findProblems()
    const first = allQuestions(definition).find(({ id }) => found.some(({ at }) => at === id))
    if (first) setOpenId(first.id)
    if (found.length === 0) void editor.publish({})
  }
  return (
    <section ref={root} aria-labelledby="form-editor">
      {editor.dialog}
      <EditorHeader
        {...editor}
        id="form-editor"
        title={definition.title.en || 'Untitled form'}
        noun="form"
        hint="Patients see the published version. Forms that were already sent keep theirs."
        isActive={saved.isActive}
        isPublished={saved.published !== null}
        onSave={() => void editor.save()}
        onPublish={publish}
        onActive={(isActive) => void editor.setActive(isActive)}
        onTakeTheirs={() => void editor.takeTheirs()}
      />
      <EditorColumns preview={editor.showsPreview && <FormPreview definition={definition} editedSection={editedSection} />}>
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
          onClick={() => {
            const section = newSection(definition)
            flushSync(() => setDefinition({ ...definition, sections: [...definition.sections, section] }))
            focusItem(section.id)
          }}
        >
          Add section
        </Button>
      </EditorColumns>
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
  onDefinition: Dispatch<SetStateAction<FormDefinition>>
  problems: readonly DefinitionProblem[]
  /** The question that is open for editing. */
  openId: string | null
  onOpen: (id: string | null) => void
}

function SectionEditor({ section, number, definition, onDefinition, problems, openId, onOpen }: SectionEditorProps) {
  const set = (change: Partial<Section>) => onDefinition(setSection(definition, section.id, change))
  const name = section.title.en || `Section ${number}`
  return (
    <section aria-label={name} data-item={section.id} className="border-t border-line pt-4">
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
          rows={1}
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
            <QuestionEditor
              key={question.id}
              question={question}
              onMove={(by) => onDefinition(move(definition, question.id, by))}
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
          ))}
        </ul>
        <Button
          icon={<Plus />}
          size="sm"
          className="self-start"
          onClick={() => {
            const question = newQuestion(definition)
            flushSync(() => {
              set({ questions: [...section.questions, question] })
              onOpen(question.id)
            })
            focusItem(question.id)
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
  onDefinition: Dispatch<SetStateAction<FormDefinition>>
}

function MoveButtons({ name, id, definition, onDefinition }: MoveButtonsProps) {
  const { sections } = definition
  const isSection = sections.some((section) => section.id === id)
  // A question moves on into the next section.
  const places = (isSection ? sections : allQuestions(definition)).map((one) => one.id)
  function removeIt() {
    const removal = { before: definition, after: remove(definition, id), id }
    onDefinition(removal.after)
    toast.undoable(isSection ? 'Section removed' : 'Question removed', () => onDefinition((now) => restore(now, removal)))
  }
  return (
    <ItemActions
      name={name}
      isFirst={places[0] === id}
      isLast={places.at(-1) === id}
      hasKeys={!isSection}
      onMove={(by) => onDefinition(move(definition, id, by))}
      onRemove={removeIt}
    />
  )
}
