import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { type Dispatch, type SetStateAction, useState } from 'react'
import { flushSync } from 'react-dom'
import { client, orpc } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'
import { MultiSelect } from '../../../../ui/controls/MultiSelect.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { useProblemFocus } from '../../../../ui/forms/useProblemFocus.ts'
import { toast } from '../../../../ui/overlays/toast.ts'
import { EditorColumns } from '../../../templates/web/embed/EditorColumns.tsx'
import { EditorHeader } from '../../../templates/web/embed/EditorHeader.tsx'
import { FoldingItem, focusItem } from '../../../templates/web/embed/FoldingItem.tsx'
import { ItemActions } from '../../../templates/web/embed/ItemActions.tsx'
import { useTemplateEditor } from '../../../templates/web/embed/useTemplateEditor.ts'
import { WordsFields } from '../../../templates/web/embed/WordsFields.tsx'
import {
  checkDefinition,
  type Clause,
  clauseKinds,
  type ConsentDefinition,
  type ConsentUse,
  consentUses,
  definitionLimits,
  type DefinitionProblem,
  definitionProblems,
  mergeFields,
  photoScopes,
} from '../../definition-rules.ts'
import type { TemplateData } from '../consent-data.ts'
import { clauseKindLabels, scopeLabels, purposeLabels } from '../labels.ts'
import { ConsentPreview } from './ConsentPreview.tsx'
import { moveClause, newClause, restoreClause, setClause, toggled } from './draft.ts'
import { ActiveDialog, PublishDialog } from './PublishDialog.tsx'
import { type NotSent, sendForAll } from './SurgeryImpact.tsx'

/** The editor of a consent form: its clauses at the left, how a patient reads them at the right. */
export function ConsentEditor({ template }: { template: TemplateData }) {
  const cache = useQueryClient()
  const [openId, setOpenId] = useState<string | null>(null)
  const [asking, setAsking] = useState<'publish' | 'activate' | 'deactivate' | null>(null)
  const [notSent, setNotSent] = useState<NotSent[]>([])
  const editor = useTemplateEditor<ConsentDefinition, TemplateData, DefinitionProblem, { mustResign: boolean }>({
    template,
    noun: 'Consent form',
    check: checkDefinition,
    calls: {
      get: client.consentForms.template,
      saveDraft: client.consentForms.saveDraft,
      publish: client.consentForms.publish,
      setActive: client.consentForms.setActive,
    },
    onSaved(after) {
      cache.setQueryData(orpc.consentForms.template.queryKey({ input: { id: template.id } }), after)
      void cache.invalidateQueries({ queryKey: orpc.consentForms.templates.key() })
    },
  })
  const { definition, setDefinition, problems, saved } = editor
  const root = useProblemFocus<HTMLElement>({ tries: editor.tries })
  const set = (part: Partial<ConsentDefinition>) => setDefinition({ ...definition, ...part })
  const problemAt = (at: string | null, field: string) => messageAt(problems, at, field)
  /** The draft is saved first, so that the dialog says what it would change. */
  async function review() {
    const found = editor.findProblems()
    const first = definition.clauses.find(({ id }) => found.some(({ at }) => at === id))
    if (first) setOpenId(first.id)
    if (found.length > 0) return
    if (!editor.isDirty || (await editor.saveForReview())) setAsking('publish')
  }
  async function change(work: () => Promise<boolean>, done: string, sendTo: Parameters<typeof sendForAll>[1]) {
    setAsking(null)
    setNotSent([])
    if (!(await work()) || sendTo.length === 0) return
    const failed = await sendForAll(template.id, sendTo)
    setNotSent(failed)
    const sent = sendTo.length - failed.length
    if (sent > 0) toast.success(`${done} and sent to ${sent === 1 ? '1 patient' : `${sent} patients`}`)
  }
  return (
    <section ref={root} aria-labelledby="consent-editor">
      {editor.dialog}
      <EditorHeader
        {...editor}
        id="consent-editor"
        title={definition.title.en || 'Untitled consent form'}
        noun="consent form"
        hint="Patients read the published version. What was already signed stays as it was signed."
        isActive={saved.isActive}
        isPublished={saved.published !== null}
        onSave={() => void editor.save()}
        onPublish={() => void review()}
        onActive={(isActive) => setAsking(isActive ? 'activate' : 'deactivate')}
        onTakeTheirs={() => void editor.takeTheirs()}
      />
      {asking === 'publish' && (
        <PublishDialog
          id={template.id}
          definition={definition}
          published={saved.published}
          onPublish={(mustResign, sendTo) => void change(() => editor.publish({ mustResign }), 'Published', sendTo)}
          onClose={() => setAsking(null)}
        />
      )}
      {(asking === 'activate' || asking === 'deactivate') && (
        <ActiveDialog
          id={template.id}
          title={definition.title.en}
          isActivating={asking === 'activate'}
          onConfirm={(sendTo) => void change(() => editor.setActive(asking === 'activate'), 'Activated', sendTo)}
          onClose={() => setAsking(null)}
        />
      )}
      {notSent.length > 0 && (
        <Alert
          tone="warning"
          className="mt-3"
          title={notSent.length === 1 ? 'One patient was not sent it.' : `${notSent.length} patients were not sent it.`}
        >
          <ul>
            {notSent.map(({ id, contactId, patientName, reason }) => (
              <li key={id}>
                <Link to="/contacts/$id" params={{ id: contactId }} search={{ tab: 'surgery' }} className="font-medium underline">
                  {patientName}
                </Link>
                : {reason}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      <EditorColumns preview={editor.showsPreview && <ConsentPreview definition={definition} />}>
        <WordsFields
          label="Title"
          value={definition.title}
          onChange={(title) => set({ title })}
          problem={problemAt(null, 'title')}
          maxLength={definitionLimits.title}
        />
        <UseFields definition={definition} set={set} problemAt={problemAt} />
        <WordsFields
          label="Introduction"
          isOptional
          isLong
          rows={3}
          value={definition.intro}
          onChange={(intro) => set({ intro })}
          problem={problemAt(null, 'intro')}
          variables={mergeFields}
        />
        <section aria-labelledby="consent-clauses" className="flex flex-col gap-3 border-t border-line pt-4">
          <h3 id="consent-clauses" className="text-title font-semibold text-fg">
            Clauses
          </h3>
          {problemAt(null, 'clauses') && <Alert tone="danger">{problemAt(null, 'clauses')}</Alert>}
          <ol aria-label="Clauses" className="flex flex-col gap-2">
            {definition.clauses.map((clause) => (
              <ClauseEditor
                key={clause.id}
                clause={clause}
                definition={definition}
                onDefinition={setDefinition}
                problems={problems.filter(({ at }) => at === clause.id)}
                problemAt={problemAt}
                isOpen={openId === clause.id}
                onToggle={() => setOpenId(openId === clause.id ? null : clause.id)}
              />
            ))}
          </ol>
          <Button
            icon={<Plus />}
            size="sm"
            className="self-start"
            onClick={() => {
              const clause = newClause(definition)
              flushSync(() => {
                set({ clauses: [...definition.clauses, clause] })
                setOpenId(clause.id)
              })
              focusItem(clause.id)
            }}
          >
            Add clause
          </Button>
        </section>
      </EditorColumns>
    </section>
  )
}

const messageAt = (problems: readonly DefinitionProblem[], at: string | null, field: string): string | undefined => {
  const found = problems.find((problem) => problem.at === at && problem.field === field)
  return found && definitionProblems[found.code]
}

const requirementHints: Record<ConsentUse, string> = {
  every_surgery: 'Every booked surgery requires it.',
  procedures: 'A booked surgery with one of these procedures requires it.',
  photos: 'No surgery requires it.',
}

type ProblemAt = (at: string | null, field: string) => string | undefined

interface UseFieldsProps {
  definition: ConsentDefinition
  set: (part: Partial<ConsentDefinition>) => void
  problemAt: ProblemAt
}

/** When it is used, and who signs besides the patient. */
function UseFields({ definition, set, problemAt }: UseFieldsProps) {
  const procedures = useQuery(orpc.procedures.list.queryOptions()).data ?? []
  const { use, procedureIds, scopes, needsWitness, needsInterpreter, needsCountersignature } = definition
  return (
    <div className="flex flex-col gap-4">
      <Field label="Used for" hint={requirementHints[use]}>
        <Select
          value={use}
          onValueChange={(value) => value && set({ use: value })}
          options={consentUses.map((value) => ({ value, label: purposeLabels[value] }))}
        />
      </Field>
      {use === 'procedures' && (
        <Field label="Procedures" error={problemAt(null, 'procedureIds')}>
          <MultiSelect
            listLabel="Chosen procedures"
            placeholder="Add a procedure"
            search={{ placeholder: 'Search procedures' }}
            options={procedures
              .filter(({ id, isActive }) => isActive && !procedureIds.includes(id))
              .map(({ id, name }) => ({ value: id, label: name }))}
            picked={procedures.filter(({ id }) => procedureIds.includes(id)).map(({ id, name }) => ({ value: id, label: name }))}
            onAdd={(id) => set({ procedureIds: [...procedureIds, id] })}
            onRemove={(id) => set({ procedureIds: procedureIds.filter((one) => one !== id) })}
          />
        </Field>
      )}
      {use === 'photos' && (
        <fieldset>
          <legend className="pb-2 text-sm font-medium text-fg">Ask the patient about each use</legend>
          {problemAt(null, 'scopes') && (
            <Alert tone="danger" className="mb-2">
              {problemAt(null, 'scopes')}
            </Alert>
          )}
          <div className="flex flex-col gap-2">
            {photoScopes.map((scope) => (
              <CheckboxLine
                key={scope}
                checked={scopes.includes(scope)}
                onCheckedChange={() => set({ scopes: photoScopes.filter((one) => toggled(scopes, scope).includes(one)) })}
              >
                {scopeLabels[scope]}
              </CheckboxLine>
            ))}
          </div>
        </fieldset>
      )}
      <fieldset className="flex flex-col gap-2">
        <legend className="pb-2 text-sm font-medium text-fg">Signing also needs</legend>
        <CheckboxLine checked={needsCountersignature} onCheckedChange={(isNeeded) => set({ needsCountersignature: isNeeded })}>
          A provider’s countersignature
        </CheckboxLine>
        <CheckboxLine checked={needsWitness} onCheckedChange={(isNeeded) => set({ needsWitness: isNeeded })}>
          The name of a witness
        </CheckboxLine>
        <CheckboxLine
          checked={needsInterpreter}
          onCheckedChange={(isNeeded) => set({ needsInterpreter: isNeeded })}
          hint="If this is off, the patient may still name one."
        >
          The name of an interpreter
        </CheckboxLine>
      </fieldset>
    </div>
  )
}

interface ClauseEditorProps {
  clause: Clause
  definition: ConsentDefinition
  onDefinition: Dispatch<SetStateAction<ConsentDefinition>>
  problems: readonly DefinitionProblem[]
  problemAt: ProblemAt
  isOpen: boolean
  onToggle: () => void
}

function ClauseEditor({ clause, definition, onDefinition, problems, problemAt, isOpen, onToggle }: ClauseEditorProps) {
  const { id, kind, title, text, needsInitials } = clause
  const { clauses } = definition
  const at = clauses.indexOf(clause)
  const set = (part: Partial<Clause>) => onDefinition(setClause(definition, id, part))
  const move = (by: -1 | 1) => onDefinition(moveClause(definition, id, by))
  function remove() {
    onDefinition({ ...definition, clauses: clauses.filter((one) => one !== clause) })
    toast.undoable('Clause removed', () => onDefinition((now) => restoreClause(now, clause, at)))
  }
  return (
    <FoldingItem
      id={id}
      title={title.en || 'New clause'}
      facts={[clauseKindLabels[kind] !== title.en && clauseKindLabels[kind], needsInitials ? 'The patient initials it' : 'Not initialled']
        .filter(Boolean)
        .join(' · ')}
      badge={problems.length > 0 && <Badge tone="danger">Check</Badge>}
      actions={
        <ItemActions
          name={title.en || `clause ${at + 1}`}
          isFirst={at === 0}
          isLast={at === clauses.length - 1}
          hasKeys
          onMove={move}
          onRemove={remove}
        />
      }
      isOpen={isOpen}
      onToggle={onToggle}
      onMove={move}
    >
      <WordsFields
        label="Clause title"
        value={title}
        onChange={(words) => set({ title: words })}
        problem={problemAt(id, 'title')}
        maxLength={definitionLimits.title}
      />
      <WordsFields
        label="Text"
        isLong
        rows={5}
        value={text}
        onChange={(words) => set({ text: words })}
        problem={problemAt(id, 'text')}
        variables={mergeFields}
      />
      <div className="grid items-end gap-x-3 gap-y-4 md:grid-cols-2">
        <Field label="Kind">
          <Select
            value={kind}
            onValueChange={(value) => value && set({ kind: value })}
            options={clauseKinds.map((value) => ({ value, label: clauseKindLabels[value] }))}
          />
        </Field>
        <CheckboxLine checked={needsInitials} onCheckedChange={(isNeeded) => set({ needsInitials: isNeeded })} className="md:pb-2">
          The patient initials it
        </CheckboxLine>
      </div>
    </FoldingItem>
  )
}
