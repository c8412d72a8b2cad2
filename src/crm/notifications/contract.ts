import { oc } from '@orpc/contract'
import { z } from 'zod'
import { cursorPages, instantPlace } from '../../shared/page-lists.ts'

/** The only notification type so far (spec 3). */
const notificationTypes = ['task_overdue'] as const
export type NotificationType = (typeof notificationTypes)[number]

/** The fields required by spec 3. */
const metadata = z.object({
  task_id: z.uuid(),
  task_title: z.string(),
  task_description: z.string().nullable(),
  due_time_constraint: z.string().nullable(),
  contact_name: z.string().nullable(),
  contact_phone: z.string().nullable(),
})
export type NotificationMetadata = z.output<typeof metadata>

const notification = z.object({
  id: z.uuid(),
  userId: z.uuid(),
  type: z.enum(notificationTypes),
  /** Null: unread. */
  readAt: z.date().nullable(),
  createdAt: z.date(),
  metadata,
  taskId: z.uuid(),
  /** When the task is currently due. */
  dueAt: z.date(),
  /** When the task's last snooze ends or ended. */
  snoozedUntil: z.date().nullable(),
  /** Whether the task is still to be done. */
  isOpen: z.boolean(),
  contactId: z.uuid().nullable(),
})

/** The events that staff can get emails about. */
export const preferences = ['task_assigned'] as const
export type Preference = (typeof preferences)[number]
const preference = z.object({ notificationType: z.enum(preferences), enabled: z.boolean() })

const byId = z.strictObject({ id: z.uuid() })
const tags = ['Notifications']
const pages = cursorPages(instantPlace, { limit: 30, max: 100 })
/** A larger default would not help: no one reads that many reminders at once. */
const unreadPages = cursorPages(instantPlace, { limit: 50, max: 100 })
const notFound = { NOT_FOUND: { status: 404, message: 'This notification does not exist' } } as const

export const notificationsContract = {
  unread: oc
    .route({
      method: 'GET',
      path: '/notifications/unread',
      tags,
      summary: 'List your own unread reminders of overdue tasks, newest first, with their number',
    })
    .input(z.strictObject(unreadPages.input))
    .output(unreadPages.output(notification).extend({ total: z.number().int() })),
  list: oc
    .route({ method: 'GET', path: '/notifications', tags, summary: 'List your own notifications, including read ones, newest first' })
    .input(z.strictObject(pages.input))
    .output(pages.output(notification)),
  read: oc
    .route({ method: 'POST', path: '/notifications/{id}/read', tags, summary: 'Mark a notification as read (idempotent)' })
    .input(byId)
    .errors(notFound),
  markUnread: oc
    .route({ method: 'POST', path: '/notifications/{id}/unread', tags, summary: 'Mark a notification as unread' })
    .input(byId)
    .errors(notFound),
  readAll: oc
    .route({ method: 'POST', path: '/notifications/read', tags, summary: 'Mark all notifications as read' })
    .output(z.object({ read: z.number().int() })),
  preferences: oc
    .route({ method: 'GET', path: '/notifications/preferences', tags, summary: 'List your own email notification settings' })
    .output(z.array(preference)),
  setPreference: oc
    .route({ method: 'PUT', path: '/notifications/preferences', tags, summary: 'Turn an email notification on or off' })
    .input(z.strictObject(preference.shape))
    .output(z.array(preference)),
}
