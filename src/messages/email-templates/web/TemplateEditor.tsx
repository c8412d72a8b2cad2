import { Copy, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../ui/Dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { useProblemFocus } from '../../../ui/useProblemFocus.ts'
import { useUnsavedGuard } from '../../../ui/useUnsavedGuard.tsx'
import { templateFailures } from '../contract.ts'
import { type Draft, draftOf, emptyDraft, isSame, problemsOf } from './draft.ts'
import { EditorFields } from './EditorFields.tsx'
import { Preview } from './Preview.tsx'
import type { TemplateData } from './template-data.ts'
import { type Refused, useTemplateActions } from './useTemplateActions.ts'
import { templateTitle } from '../rules.ts'

interface TemplateEditorProps {
  /** Null: a new one. */
  template: TemplateData | null
  /** Opens another one in its place. */
  onOpen: (id: string) => void
  onClose: () => void
}

/** The fields of a template beside what becomes of them. */
export function TemplateEditor({ template, onOpen, onClose }: TemplateEditorProps) {
  // What was read when the editor was opened: what comes later does not replace what is being typed.
  const [base, setBase] = useState(template)
  const [draft, setDraft] = useState<Draft>(() => (template ? draftOf(template) : emptyDraft))
  const [tries, setTries] = useState(0)
  const [refused, setRefused] = useState<Refused | null>(null)
  const [isDeleting, setDeleting] = useState(false)
  const form = useProblemFocus(tries)
  const { busy, save, remove, duplicate } = useTemplateActions()
  const isDirty = !isSame(draft, base ? draftOf(base) : emptyDraft)
  const guard = useUnsavedGuard(() => isDirty)
  const missing = problemsOf(draft)
  const problems = {
    ...(tries > 0 ? missing : {}),
    ...(refused && 'nameTaken' in refused ? { name: 'A template with this name exists already' } : {}),
  }

  function close() {
    if (!busy) guard.close(onClose)
  }

  async function submit(over: TemplateData | null) {
    setTries((before) => before + 1)
    if (Object.keys(missing).length > 0 || busy) return
    const problem = await save(over && { id: over.id, version: over.version }, draft)
    setRefused(problem)
    setTries((before) => before + 1)
    if (problem) return
    toast.success(over ? 'Template saved' : 'Template added')
    guard.leave(onClose)
  }

  function takeTheirs(current: TemplateData) {
    setBase(current)
    setDraft(draftOf(current))
    setRefused(null)
  }

  return (
    <Dialog open onOpenChange={close} title={base ? 'Edit template' : 'New template'} size="lg" dismissible={!busy}>
      <form
        ref={form}
        noValidate
        className={dialogForm}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          void submit(base)
        }}
      >
        <DialogBody className="flex flex-col gap-4">
          {refused && 'message' in refused && (
            <Alert tone="danger" title={base ? templateFailures.update : templateFailures.create}>
              {refused.message}
            </Alert>
          )}
          {refused && 'current' in refused && (
            <Alert
              tone="warning"
              title="Someone has changed this template in the meantime."
              action={
                <div className="flex flex-wrap gap-2">
                  <Button size="sm" onClick={() => takeTheirs(refused.current)}>
                    Take theirs
                  </Button>
                  <Button size="sm" onClick={() => void submit(refused.current)}>
                    Save mine over it
                  </Button>
                </div>
              }
            >
              Nothing was saved. What you wrote is still here.
            </Alert>
          )}
          <div className="grid gap-6 lg:grid-cols-2">
            <EditorFields
              draft={draft}
              problems={problems}
              onChange={(change) => {
                setDraft((before) => ({ ...before, ...change }))
                if (refused && 'nameTaken' in refused && change.name !== undefined) setRefused(null)
              }}
            />
            <Preview draft={draft} />
          </div>
        </DialogBody>
        <DialogFooter>
          {base && (
            <div className="mr-auto flex gap-2">
              <Button size="lg" variant="danger" icon={<Trash2 />} disabled={busy !== null} onClick={() => setDeleting(true)}>
                Delete
              </Button>
              {/* A copy is made of what is saved. */}
              {!isDirty && (
                <Button
                  size="lg"
                  icon={<Copy />}
                  busy={busy === 'copying'}
                  onClick={() => void duplicate(base.id).then((id) => id && onOpen(id))}
                >
                  Duplicate
                </Button>
              )}
            </div>
          )}
          <Button size="lg" disabled={busy !== null} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" size="lg" variant="filled" busy={busy === 'saving'} busyLabel="Saving...">
            {base ? 'Save template' : 'Add template'}
          </Button>
        </DialogFooter>
      </form>
      {guard.dialog}
      {base && (
        <ConfirmDialog
          open={isDeleting}
          onOpenChange={() => setDeleting(false)}
          title={`Delete ${templateTitle(base.name)}?`}
          confirmLabel="Delete template"
          busyLabel="Deleting..."
          busy={busy === 'deleting'}
          danger
          onConfirm={() =>
            void remove(base.id).then((isGone) => {
              setDeleting(false)
              if (!isGone) return
              toast.success('Template deleted')
              guard.leave(onClose)
            })
          }
        >
          Emails that were written from it stay as they are.
          {base.name.toLowerCase() === 'welcome_email' && ' New leads are not welcomed by email any more.'}
        </ConfirmDialog>
      )}
    </Dialog>
  )
}
