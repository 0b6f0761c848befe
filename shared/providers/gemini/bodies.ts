import type {
  BlockTable,
  MemberRules,
  RequestTable,
  ResponseTable,
  StoredContent,
  StreamTable,
} from '../tables.ts';

/** Source: Gemini API reference (generateContent, countTokens, embedContent). Names may be in camelCase or snake_case. */

const IDENTIFIER = { as: 'identifier' } as const;
const LEAVES = { as: 'leaves', role: 'other' } as const;
const DEVELOPER = { as: 'content', role: 'system' } as const;
const DEFINITIONS = { as: 'leaves', role: 'tool_definition' } as const;
const FROM_USER = { as: 'leaves', role: 'user' } as const;
const CALL = { as: 'content', role: 'tool_call' } as const;
const RESULT = { as: 'content', role: 'tool_result' } as const;
const FILE = { as: 'file', role: 'document' } as const;
const SOURCES = { as: 'leaves', role: 'document' } as const;
const SEALED = { as: 'sealed' } as const;

const STORED: readonly StoredContent[] = [
  'cachedContent',
  'cached_content',
  'tools/*/fileSearch/fileSearchStoreNames/*',
  'tools/*/file_search/file_search_store_names/*',
  // Vertex AI.
  'tools/*/retrieval/vertexAiSearch/datastore',
  'tools/*/retrieval/vertexAiSearch/engine',
  'tools/*/retrieval/vertexAiSearch/dataStoreSpecs/*/dataStore',
  'tools/*/retrieval/vertexRagStore/ragCorpora/*',
  'tools/*/retrieval/vertexRagStore/ragResources/*/ragCorpus',
].map((at) => ({ at }));

export const generateRequest: RequestTable = {
  conversation: 'contents',
  shape: 'list',
  members: {
    contents: { as: 'messages', role: 'user' },
    systemInstruction: DEVELOPER,
    system_instruction: DEVELOPER,
    tools: DEFINITIONS,
    generationConfig: DEFINITIONS,
    generation_config: DEFINITIONS,
    cachedContent: IDENTIFIER,
    cached_content: IDENTIFIER,
    labels: { as: 'metadata' },
  },
  stored: STORED,
  roles: { user: 'user', model: 'assistant', function: 'tool_result' },
};

/** Texts to be counted or embedded, also as a list of complete requests. */
export const measureRequest: RequestTable = {
  ...generateRequest,
  shape: ['contents', 'content', 'requests', 'generateContentRequest', 'generate_content_request'],
  members: {
    ...generateRequest.members,
    content: { as: 'content', role: 'user' },
    title: FROM_USER,
    requests: FROM_USER,
    generateContentRequest: FROM_USER,
    generate_content_request: FROM_USER,
  },
  stored: ['', 'generateContentRequest/', 'generate_content_request/'].flatMap((before) =>
    STORED.map(({ at }) => ({ at: before + at })),
  ),
};

export const generateBlocks: BlockTable = {
  members: {
    functionCall: CALL,
    function_call: CALL,
    args: { role: 'tool_call' },
    executableCode: CALL,
    executable_code: CALL,
    code: { role: 'tool_call' },
    functionResponse: RESULT,
    function_response: RESULT,
    response: { role: 'tool_result' },
    codeExecutionResult: RESULT,
    code_execution_result: RESULT,
    output: { role: 'tool_result' },
    inlineData: FILE,
    inline_data: FILE,
    fileData: FILE,
    file_data: FILE,
    thought: { signs: true },
    // Of other parts only the signature itself stays: the text beside it is checked by nobody.
    thoughtSignature: SEALED,
    thought_signature: SEALED,
    groundingMetadata: SOURCES,
    citationMetadata: SOURCES,
    urlContextMetadata: SOURCES,
    logprobsResult: { as: 'tokens' },
    finishReason: { as: 'label' },
    values: { as: 'figures' },
  },
  types: {},
};

const ABOUT: MemberRules = { responseId: IDENTIFIER, modelVersion: IDENTIFIER, usageMetadata: LEAVES };

export const generateResponse: ResponseTable = {
  members: {
    candidates: { as: 'messages', role: 'assistant' },
    embedding: { as: 'messages', role: 'assistant' },
    embeddings: { as: 'messages', role: 'assistant' },
    ...ABOUT,
  },
};

export const generateStream: StreamTable = {
  frame: {
    candidates: {
      goesOn: 'candidates',
      each: 'index',
      inside: {
        // Thoughts come between the parts of the text, which clients join without them.
        content: { goesOn: 'content', inside: { parts: { goesOn: 'parts', each: 'thought' } } },
        groundingMetadata: SOURCES,
        citationMetadata: SOURCES,
        urlContextMetadata: SOURCES,
        logprobsResult: { as: 'tokens' },
      },
    },
    promptFeedback: LEAVES,
    error: LEAVES,
    ...ABOUT,
  },
};

export const geminiWords = {
  names: `
    mimeType mime_type fileUri file_uri displayName display_name videoMetadata startOffset endOffset fps language
    outcome thought functionDeclarations function_declarations parametersJsonSchema parameters_json_schema
    responseJsonSchema response_json_schema googleSearch google_search googleSearchRetrieval codeExecution
    code_execution urlContext url_context computerUse googleMaps fileSearch toolConfig tool_config
    functionCallingConfig function_calling_config mode allowedFunctionNames allowed_function_names behavior
    scheduling willContinue safetySettings safety_settings category threshold stopSequences stop_sequences
    responseMimeType response_mime_type responseSchema response_schema responseModalities candidateCount
    maxOutputTokens max_output_tokens topP topK presencePenalty frequencyPenalty responseLogprobs speechConfig
    thinkingConfig thinking_config includeThoughts thinkingBudget thinkingLevel mediaResolution propertyOrdering
    enableEnhancedCivicAnswers imageConfig aspectRatio finishMessage safetyRatings probability blocked blockReason
    citationSources citations startIndex endIndex uri license groundingChunks groundingSupports web segment partIndex
    groundingChunkIndices confidenceScores webSearchQueries searchEntryPoint renderedContent retrievalMetadata
    googleSearchDynamicRetrievalScore urlMetadata retrievedUrl urlRetrievalStatus tokenCount avgLogprobs
    topCandidates chosenCandidates tokenId logProbability promptTokenCount candidatesTokenCount totalTokenCount
    cachedContentTokenCount thoughtsTokenCount toolUsePromptTokenCount promptTokensDetails candidatesTokensDetails
    cacheTokensDetails toolUsePromptTokensDetails modality serviceTier totalTokens totalBillableCharacters
    taskType task_type outputDimensionality output_dimensionality statistics truncated details
  `,
  values: `
    STOP MAX_TOKENS SAFETY RECITATION LANGUAGE BLOCKLIST PROHIBITED_CONTENT SPII MALFORMED_FUNCTION_CALL OTHER
    AUTO ANY NONE VALIDATED STRING NUMBER INTEGER BOOLEAN ARRAY OBJECT NULL TEXT IMAGE AUDIO VIDEO DOCUMENT
    HARM_CATEGORY_HARASSMENT HARM_CATEGORY_HATE_SPEECH HARM_CATEGORY_SEXUALLY_EXPLICIT HARM_CATEGORY_CIVIC_INTEGRITY
    HARM_CATEGORY_DANGEROUS_CONTENT BLOCK_NONE BLOCK_ONLY_HIGH BLOCK_MEDIUM_AND_ABOVE BLOCK_LOW_AND_ABOVE OFF
    NEGLIGIBLE LOW MEDIUM HIGH PYTHON OUTCOME_OK OUTCOME_FAILED OUTCOME_DEADLINE_EXCEEDED application/json
    RETRIEVAL_QUERY RETRIEVAL_DOCUMENT SEMANTIC_SIMILARITY CLASSIFICATION CLUSTERING QUESTION_ANSWERING
    FACT_VERIFICATION CODE_RETRIEVAL_QUERY URL_RETRIEVAL_STATUS_SUCCESS MODE_DYNAMIC PERMISSION_DENIED
  `,
};
