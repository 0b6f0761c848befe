/**
 * Words that belong to the vendors. An exact one of these can hold no attack and no secret, so it is the only
 * kind of string that readers leave out. Closed: anything else, in any spelling, is read.
 * Names of tools and models are not in here; they are read.
 */
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Member names. */
export const KNOWN_NAMES = words(`
  type text role content id model messages message name system user metadata stream stream_options
  max_tokens max_completion_tokens max_output_tokens temperature top_p top_k min_p n stop stop_sequences seed
  presence_penalty frequency_penalty repetition_penalty logit_bias logprobs top_logprobs logprob token bytes
  tools tool_choice parallel_tool_calls tool_calls tool_call_id tool_use_id tool_name tool_names functions function
  function_call arguments parameters parsed parsed_arguments strict input input_schema output output_schema
  response_format json_schema schema format modalities audio voice transcript prediction verbosity reasoning_effort
  web_search_options user_location search_context_size approximate city country region timezone service_tier store
  safety_identifier prompt_cache_key prompt_cache_retention prompt_cache_options include_usage include_obfuscation
  object created created_at completed_at expires_at choices index finish_reason usage system_fingerprint refusal
  annotations reasoning_content reasoning reasoning_details delta obfuscation url title start_index end_index
  url_citation prompt_tokens completion_tokens total_tokens prompt_tokens_details completion_tokens_details
  cached_tokens audio_tokens reasoning_tokens accepted_prediction_tokens rejected_prediction_tokens text_tokens
  image_url image detail input_audio data file file_id file_data file_url filename media_type source citations
  cited_text document_index document_title context cache_control ttl enabled budget_tokens thinking signature
  stop_reason stop_sequence stop_details container input_tokens output_tokens cache_creation
  cache_creation_input_tokens cache_read_input_tokens ephemeral_5m_input_tokens ephemeral_1h_input_tokens
  server_tool_use web_search_requests web_fetch_requests output_tokens_details input_tokens_details is_error caller
  content_block partial_json disable_parallel_tool_use max_uses allowed_domains blocked_domains allowed_callers
  defer_loading eager_input_streaming encrypted_content encrypted_index encrypted_stdout page_age search_result_index
  start_block_index end_block_index start_char_index end_char_index start_page_number end_page_number error_code
  retrieved_at stdout stderr return_code mcp_servers authorization_token tool_configuration allowed_tools
  context_management output_config effort inference_geo
  instructions previous_response_id conversation include background truncation max_tool_calls prompt variables
  version text_format summary status incomplete_details reason error code param item item_id part response
  sequence_number output_index content_index summary_index annotation annotation_index call_id action actions query
  queries results attributes score sources outputs logs container_id result partial_image_b64 partial_image_index
  server_label server_url server_description connector_id require_approval headers authorization approve
  approval_request_id command commands env working_directory timeout_ms exit_code outcome phase pattern
  vector_store_ids max_num_results ranking_options ranker score_threshold filters quality size background_color
  output_format output_compression partial_images moderation input_image_mask input_fidelity revised_prompt
  display_width display_height environment pending_safety_checks acknowledged_safety_checks x y button keys path
  scroll_x scroll_y definition syntax grammar custom generate_summary created_by output_text tool_references
  properties required additionalProperties description enum items anyOf oneOf allOf not const default examples
  title $ref $defs $schema definitions minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength
  maxLength minItems maxItems uniqueItems minProperties maxProperties patternProperties nullable
  first_id last_id has_more
  framework chain_name agent_id session_id retrieved_context media direction args
`);

/** Values. */
export const KNOWN_VALUES = words(`
  system developer user assistant tool function message messages text input_text output_text refusal summary_text
  reasoning_text reasoning thinking redacted_thinking image image_url input_image input_audio audio file input_file
  document search_result tool_use tool_result server_tool_use mcp_tool_use mcp_tool_result tool_reference
  web_search_tool_result web_search_result web_fetch_tool_result web_fetch_result code_execution_tool_result
  code_execution_result content base64 url
  text_delta input_json_delta thinking_delta signature_delta citations_delta content_block_start content_block_delta
  content_block_stop message_start message_delta message_stop ping error
  function_call function_call_output custom_tool_call custom_tool_call_output computer_call computer_call_output
  web_search_call file_search_call code_interpreter_call image_generation_call mcp_call mcp_list_tools
  mcp_approval_request mcp_approval_response item_reference local_shell_call local_shell_call_output shell_call
  shell_call_output apply_patch_call apply_patch_call_output computer_screenshot logs url_citation file_citation
  response response.created response.queued response.in_progress response.completed response.failed
  response.incomplete response.output_item.added response.output_item.done response.content_part.added
  response.content_part.done response.output_text.delta response.output_text.done
  response.output_text.annotation.added response.refusal.delta response.refusal.done
  response.function_call_arguments.delta response.function_call_arguments.done
  response.reasoning_summary_part.added response.reasoning_summary_part.done
  response.reasoning_summary_text.delta response.reasoning_summary_text.done response.reasoning_text.delta
  response.reasoning_text.done response.custom_tool_call_input.delta response.custom_tool_call_input.done
  response.mcp_call_arguments.delta response.mcp_call_arguments.done response.audio.delta response.audio.done
  response.audio.transcript.delta response.audio.transcript.done
  chat.completion chat.completion.chunk list model [DONE]
  stop length tool_calls content_filter end_turn max_tokens stop_sequence pause_turn max_output_tokens
  auto none any required json_object json_schema completed in_progress incomplete failed cancelled queued
  default flex priority scale standard standard_only batch minimal low medium high xhigh max concise detailed
  ephemeral 5m 1h 24h in_memory enabled disabled adaptive
  string number integer boolean array object null
  text/plain application/pdf image/png image/jpeg image/gif image/webp png jpeg webp wav mp3 opus flac aac pcm16
  true false
`);

/** No known value is longer; checking the length first spares hashing long texts. */
export const LONGEST_KNOWN_VALUE = Math.max(...[...KNOWN_VALUES].map((word) => word.length));

export function isKnownValue(text: string): boolean {
  return text.length <= LONGEST_KNOWN_VALUE && KNOWN_VALUES.has(text);
}
