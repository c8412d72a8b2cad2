import type pg from 'pg'

/**
 * Writes the seeded patients to the audit log as the product would have: who added them, and each move with the fields it changed, so that
 * a record's history explains everything the record shows. Runs in the caller's transaction.
 */
export async function addHistory(client: pg.Client): Promise<void> {
  await client.query(`
    with moves as (
      select contact_id, from_stage, to_stage, changed_at, changed_by, stages.value as stage,
        row_number() over (partition by contact_id, stages.value order by changed_at) as visit_number,
        row_number() over (partition by contact_id order by changed_at desc, history.id desc) as from_last
      from contact_stage_history as history join funnel_stages as stages on stages.id = to_stage
    ),
    changes as (
      select moves.*, c.id,
        case when from_stage is null then jsonb_build_object(
          'id', c.id, 'firstName', first_name, 'lastName', last_name, 'email', email, 'phone', phone, 'address', address, 'city', city, 'state', state,
          'zipCode', zip_code, 'dateOfBirth', date_of_birth, 'pronouns', pronouns, 'preferredLanguage', preferred_language,
          'preferredName', preferred_name, 'sexAtBirth', sex_at_birth, 'gender', gender, 'emergencyContactName', emergency_contact_name,
          'emergencyContactPhone', emergency_contact_phone, 'emergencyContactRelationship', emergency_contact_relationship,
          'familyPhysician', family_physician, 'pharmacy', pharmacy, 'status', status,
          'leadSourceId', lead_source, 'leadSourceText', lead_source_text, 'funnelStageId', to_stage, 'procedureId', procedure_of_interest, 'procedureText', procedure_text, 'assignedSalesRepId', assigned_sales_rep_id,
          'consentToCommunicate', consent_to_communicate, 'weightLossMedication', weight_loss_medication, 'importSource', import_source)
        else jsonb_strip_nulls(jsonb_build_object('funnelStageId', to_stage)
          || case when stage = 'consult_booked' and visit_number = 1 then jsonb_build_object('assignedProviderId', assigned_provider_id,
               'requiresSpecialistConsult', nullif(requires_specialist_consult, false), 'specialistConsultType', specialist_consult_type,
               'specialistConsultReason', specialist_consult_reason, 'appointmentDate', appointment_date, 'appointmentTime', appointment_time,
               'appointmentLocation', appointment_location) else '{}' end
          || case when stage = 'surgery_booked' then jsonb_build_object('surgicalDate', surgical_date, 'revenueCents', revenue) else '{}' end
          || case when from_last = 1 then jsonb_build_object('nextFollowUpDate', next_follow_up_date, 'notes', notes) else '{}' end)
        end as after
      from moves join contacts as c on c.id = contact_id
    )
    insert into audit_log (at, actor_id, actor_role, action, kind, contact_ids, before, after, request_id)
    select changed_at, changed_by, coalesce(profiles.role, 'system'), case when from_stage is null then 'created' else 'changed' end, 'contact',
      array[contact_id],
      case when from_stage is not null then
        (select jsonb_object_agg(key, case key when 'funnelStageId' then to_jsonb(from_stage) when 'requiresSpecialistConsult' then to_jsonb(false) else 'null' end)
         from jsonb_object_keys(after) as key) end,
      after, 'demo'
    from changes left join profiles on profiles.id = changed_by
    order by changed_at, contact_id`)
  await client.query(`
    insert into audit_log (at, actor_id, actor_role, action, kind, contact_ids, after, request_id)
    select tagged.created_at, c.assigned_sales_rep_id, coalesce(profiles.role, 'system'), 'changed', 'tag', array[c.id],
      jsonb_build_object('id', tags.id, 'name', tags.name), 'demo'
    from contact_tags as tagged join tags on tags.id = tag_id join contacts as c on c.id = contact_id
    left join profiles on profiles.id = c.assigned_sales_rep_id
    order by tagged.created_at, c.id`)
}
