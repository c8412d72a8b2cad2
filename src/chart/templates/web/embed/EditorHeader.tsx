import { Eye, EyeOff } from 'lucide-react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'

interface EditorHeaderProps {
  /** Of the heading that names the editor. */
  id: string
  title: string
  /** 'form' */
  noun: 'form' | 'consent form'
  /** What publishing means. */
  hint: string
  isActive: boolean
  isPublished: boolean
  isUnpublished: boolean
  isDirty: boolean
  busy: 'save' | 'publish' | 'active' | null
  hasConflict: boolean
  showsPreview: boolean
  onPreview: (isShown: boolean) => void
  onSave: () => void
  onPublish: () => void
  onActive: (isActive: boolean) => void
  onTakeTheirs: () => void
}

/** The title, state and actions of an editor of templates, and a conflict with someone else's changes. */
export function EditorHeader(props: EditorHeaderProps) {
  const { isActive, isPublished, isUnpublished, busy, showsPreview } = props
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line pb-3">
        <div className="flex min-w-0 items-center gap-3">
          <h2 id={props.id} className="min-w-0 truncate text-lg font-semibold text-fg">
            {props.title}
          </h2>
          {!isActive ? (
            <Badge>Inactive</Badge>
          ) : isUnpublished ? (
            <Badge tone="warning">{isPublished ? 'Unpublished changes' : 'Draft'}</Badge>
          ) : (
            <Badge tone="success">Published</Badge>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          {isPublished && (
            <Button variant="quiet" busy={busy === 'active'} onClick={() => props.onActive(!isActive)}>
              {isActive ? 'Deactivate' : 'Activate'}
            </Button>
          )}
          <Button icon={showsPreview ? <EyeOff /> : <Eye />} onClick={() => props.onPreview(!showsPreview)}>
            {showsPreview ? 'Hide preview' : 'Show preview'}
          </Button>
          <Button busy={busy === 'save'} busyLabel="Saving…" disabled={!props.isDirty} onClick={props.onSave}>
            Save draft
          </Button>
          <Button variant="filled" busy={busy === 'publish'} busyLabel="Publishing…" disabled={!isUnpublished} onClick={props.onPublish}>
            {props.noun === 'form' ? 'Publish form' : 'Publish consent form'}
          </Button>
        </div>
      </div>
      <p className="max-w-[70ch] pt-3 text-sm text-fg-2">{props.hint}</p>
      {props.hasConflict && (
        <Alert
          tone="warning"
          className="mt-3"
          title={`Someone else has changed this ${props.noun}.`}
          action={<Button onClick={props.onTakeTheirs}>Discard my changes</Button>}
        >
          Your changes are kept on this page, but can’t be saved over theirs.
        </Alert>
      )}
    </>
  )
}
