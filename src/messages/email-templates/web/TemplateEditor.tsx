import type { ConsentChannel } from '../../../crm/consent/rules.ts'
import { Copy, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { codeOf } from '../../../ui/client/api.ts'
import { Alert } from '../../../ui/display/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../ui/overlays/Dialog.tsx'
import { Form } from '../../../ui/forms/Form.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { useUnsavedGuard } from '../../../ui/forms/useUnsavedGuard.tsx'
import { templateFailures } from '../contract.ts'
import { type Draft, draftOf, emptyDraft, problemsOf } from './draft.ts'
import { EditorFields } from './EditorFields.tsx'
import { Preview } from './Preview.tsx'
import type { TemplateData } from './template-data.ts'
import { currentOf, useTemplateActions } from './useTemplateActions.ts'
import { templateTitle } from '../rules.ts'

interface TemplateEditorProps {
  /** Null: a new one. */
  template: TemplateData | null
  /** Of a new one. */
  channel: ConsentChannel
  /** Opens another one in its place. */
  onOpen: (id: string) => void
  onClose: () => void
}

/** The fields of a template beside what becomes of them. */
export function TemplateEditor({ template, channel, onOpen, onClose }: TemplateEditorProps) {
  // The version read when the editor opened: later ones do not replace what is being typed.
  const [base, setBase] = useState(template)
  const [isDeleting, setDeleting] = useState(false)
  const { busy: working, save, remove, duplicate } = useTemplateActions()
  const form = useActionForm<Draft, void, TemplateData>({
    initial: () => (template ? draftOf(template) : { ...emptyDraft, channel }),
    check: problemsOf,
    send: (draft) => save(base && { id: base.id, version: base.version }, draft),
    done: base ? 'Template saved' : 'Template added',
    onDone: () => guard.leave(onClose),
    theirs: currentOf,
    onRefused: (error, problems) => (codeOf(error) === 'NAME_TAKEN' ? { name: 'A template with this name already exists' } : problems),
  })
  const { conflict, problems, isDirty } = form
  const busy = form.isBusy ? 'saving' : working
  const guard = useUnsavedGuard(() => isDirty)

  function close() {
    if (!busy) guard.close(onClose)
  }

  function takeTheirs(current: TemplateData) {
    setBase(current)
    form.rebase(draftOf(current), [])
  }

  return (
    <Dialog
      onClose={close}
      title={base ? `Edit template: ${templateTitle(base.name)}` : channel === 'text' ? 'New text template' : 'New template'}
      size="lg"
      dismissible={!busy}
    >
      <Form form={form} className={dialogForm}>
        <DialogBody className="flex flex-col gap-4">
          {problems.form && (
            <Alert tone="danger" title={base ? templateFailures.update : templateFailures.create}>
              {problems.form}
            </Alert>
          )}
          {conflict && (
            <Alert
              tone="warning"
              title="Someone has changed this template since you opened it."
              action={
                <div className="flex flex-wrap gap-2">
                  <Button size="sm" onClick={() => takeTheirs(conflict)}>
                    Use their version
                  </Button>
                  <Button
                    size="sm"
                    onClick={() => void form.sendAnyway((draft) => save({ id: conflict.id, version: conflict.version }, draft))}
                  >
                    Overwrite with mine
                  </Button>
                </div>
              }
            >
              Nothing was saved. What you wrote is still here.
            </Alert>
          )}
          <div className="grid gap-6 lg:grid-cols-2">
            <EditorFields draft={form.values} problems={problems} onChange={form.set} />
            <Preview draft={form.values} />
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
          <Button type="submit" size="lg" variant="filled" busy={busy === 'saving'} busyLabel="Saving…">
            {base ? 'Save template' : 'Add template'}
          </Button>
        </DialogFooter>
      </Form>
      {guard.dialog}
      {base && isDeleting && (
        <ConfirmDialog
          onClose={() => setDeleting(false)}
          title={`Delete ${templateTitle(base.name)}?`}
          action={{ label: 'Delete template', busyLabel: 'Deleting…', isDanger: true }}
          isBusy={busy === 'deleting'}
          onConfirm={() =>
            void remove(base.id).then((isGone) => {
              setDeleting(false)
              if (!isGone) return
              toast.success('Template deleted')
              guard.leave(onClose)
            })
          }
        >
          Messages already written from it don’t change.
          {base.name.toLowerCase() === 'welcome_email' && ' New leads are no longer welcomed by email.'}
        </ConfirmDialog>
      )}
    </Dialog>
  )
}
